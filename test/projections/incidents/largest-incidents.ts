import { IllegalState, Invalid } from '../../../domain/errors.ts';
import { appendUpdate, type UpdateInput } from '../../../domain/incident/decide.ts';
import type { IncidentEvent } from '../../../domain/incident/events.ts';
import { draftPostmortem, MAX_POSTMORTEM, publishPostmortem } from '../../../domain/incident/postmortem.ts';
import {
  MAX_BODY,
  MAX_COMPONENTS,
  MAX_INCIDENT_BYTES,
  MAX_INCIDENT_NAME,
  MAX_METADATA_BYTES,
  MAX_REMINDER_INTERVALS,
  MAX_UPDATES,
} from '../../../domain/incident/rules.ts';
import { storedBytes } from '../../../domain/incident/size.ts';
import { incidentDecider, type Incident } from '../../../domain/incident/state.ts';
import type { Page } from '../../../domain/page/state.ts';
import { added, at, opened, page, scheduled } from '../../domain/incident/examples.ts';

/** A character that takes six bytes as JSON, which is the maximum. */
export const COSTLY = '\u0001';

const NAMES = Array.from({ length: MAX_COMPONENTS - 3 }, (_, index) => `component${index.toString().padStart(5, '0')}`);
const MAP = Object.fromEntries(NAMES.map((name) => [name, 'degraded_performance' as const]));

/**
 * Returns histories of incidents that are as large as the rules allow. Each history consists mainly of one kind of
 * large content, such as texts or components.
 */
export const largestIncidents = (): { made: string; events: IncidentEvent[] }[] => {
  const on = page(...NAMES.map((name) => added(name)));
  const metadata = { text: COSTLY.repeat(Math.floor((MAX_METADATA_BYTES - 11) / 6)) };
  const fields = { name: COSTLY.repeat(MAX_INCIDENT_NAME), metadata };
  const intervals = { reminder_intervals: COSTLY.repeat(MAX_REMINDER_INTERVALS) };
  return [
    { made: 'texts', events: grown([opened({}, fields)], on, { body: COSTLY.repeat(MAX_BODY) }) },
    { made: 'texts of a maintenance', events: grown([scheduled(intervals)], on, { body: '漢'.repeat(MAX_BODY) }) },
    { made: 'components', events: grown([opened({}, fields)], on, { components: MAP }) },
  ];
};

/** Appends updates until the rules allow no more, and publishes the longest postmortem. */
const grown = (events: IncidentEvent[], on: Page, input: UpdateInput): IncidentEvent[] => {
  let state = events.reduce<Incident>(incidentDecider.evolve, incidentDecider.initialState);
  const add = (event: IncidentEvent): void => {
    events.push(event);
    state = incidentDecider.evolve(state, event);
  };
  const status = state.status === 'active' && state.kind === 'maintenance' ? 'in_progress' : 'monitoring';
  const sizeNow = (): number => (state.status === 'active' ? storedBytes(state) : 0);
  const append = (count: number) => appendUpdate(state, on, `update${count}`, { status, ...input }, at('12:00'));
  const before = sizeNow();
  const first = append(0);
  add(first);
  // Calling the decider for each update would take minutes, so only the last updates before the limit go through the
  // decider.
  const fitting = Math.min(MAX_UPDATES, Math.floor(MAX_INCIDENT_BYTES / (sizeNow() - before))) - 5;
  const { update } = first.data;
  for (let count = 1; count < fitting; count++) {
    add({ ...first, data: { ...first.data, update: { ...update, id: `update${count}` } } });
  }
  try {
    for (let count = fitting; ; count++) add(append(count));
  } catch (error) {
    if (!(error instanceof Invalid) && !(error instanceof IllegalState)) throw error;
  }
  const made = { id: 'postmortem', preview_key: { key: 'k', sealed: 's' } };
  draftPostmortem(state, on, made, { body_draft: COSTLY.repeat(MAX_POSTMORTEM) }, at('14:00')).forEach(add);
  add(publishPostmortem(state, on, {}, at('14:00')));
  return events;
};
