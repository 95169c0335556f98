import type { EventOf } from '../../../domain/event-types.ts';
import { changeIncident, deleteIncident } from '../../../domain/incident/decide.ts';
import { componentsNamedBy } from '../../../domain/incident/facts.ts';
import type { ComponentMap } from '../../../domain/incident/fields.ts';
import { openIncident } from '../../../domain/incident/open.ts';
import { logPastIncident } from '../../../domain/incident/past.ts';
import { incidentDecider, type ExistingIncident, type Incident } from '../../../domain/incident/state.ts';
import { INCIDENT_STATUSES, MAINTENANCE_STATUSES } from '../../../domain/incident/statuses.ts';
import { editUpdate, removeUpdate } from '../../../domain/incident/updates.ts';
import type { IncidentEvent } from '../../../domain/incident/events.ts';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { holdComponent, releaseComponent } from '../../../domain/page/held-statuses.ts';
import { pageDecider, type Page } from '../../../domain/page/state.ts';
import type { PageEvent } from '../../../domain/page/events.ts';
import { instantOf, type Instant } from '../../../domain/time.ts';
import { componentFields, PAGE, pageCreated } from '../../domain/page/examples.ts';
import type { Fact } from '../../projections/history.ts';

export const COMPONENTS = ['api', 'web', 'db'] as const;
const HOLDERS = ['one', 'two', 'three'] as const;
const BEGINNING = Date.parse('2021-01-01T00:00:00Z');

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  return { below, pick, chance: (probability: number): boolean => next() < probability };
};

export interface History {
  facts: Fact[];
  /** returns the instant this many units of time after the beginning */
  at: (units: number) => Instant;
  /** length of the history in units of time */
  length: number;
}

/**
 * Returns a random history of incidents, maintenances, past incidents, manual changes and holds, with updates that are
 * edited and removed. All times are multiples of the unit, and many are equal.
 *
 * @param unit unit of time in milliseconds
 */
export const randomHistory = (seed: number, unit: number): History => {
  const random = randomFrom(seed);
  const at = (units: number): Instant => instantOf(BEGINNING + units * unit);
  const facts: Fact[] = [];
  const incidents = new Map<string, Incident>();
  let page: Page = pageDecider.initialState;
  let clock = 10;
  let made = 0;

  const happensToPage = (event: PageEvent): void => {
    page = pageDecider.evolve(page, event);
    facts.push(event);
  };
  const happens = (id: string, events: IncidentEvent | readonly IncidentEvent[]): void => {
    for (const event of Array.isArray(events) ? (events as readonly IncidentEvent[]) : [events as IncidentEvent]) {
      incidents.set(id, incidentDecider.evolve(incidents.get(id) ?? incidentDecider.initialState, event));
      facts.push(event);
    }
  };
  const map = (): ComponentMap =>
    Object.fromEntries(
      COMPONENTS.filter(() => random.chance(0.4)).map((component) => [component, random.pick(COMPONENT_STATUSES)]),
    );
  const newId = (): string => `id${made++}`;
  const existing = (): [string, ExistingIncident][] =>
    [...incidents].filter((entry): entry is [string, ExistingIncident] => 'facts' in entry[1]);
  const statuses = ({ kind }: ExistingIncident) => (kind === 'regular' ? INCIDENT_STATUSES : MAINTENANCE_STATUSES);

  const open = (): void => {
    const id = newId();
    const ids = { incident: id, update: newId() };
    const fields = { name: id, body: id, components: map() };
    const planned = {
      scheduled_for: at(clock),
      scheduled_until: at(clock + 1),
      auto_transition_to_maintenance_state: random.chance(0.5),
      auto_transition_to_operational_state: random.chance(0.5),
    };
    const input = random.chance(0.3)
      ? { ...fields, status: 'scheduled' as const, ...planned }
      : { ...fields, status: random.pick(INCIDENT_STATUSES) };
    happens(id, openIncident({ status: 'absent' }, page, ids, input, at(clock)));
  };
  const logPast = (): void => {
    const id = newId();
    const times = [random.below(clock + 1), random.below(clock + 1), random.below(clock + 1)].sort((a, b) => a - b);
    const updates = times.map((time, index) => ({
      id: newId(),
      body: id,
      status: index === 2 ? ('resolved' as const) : random.pick(INCIDENT_STATUSES),
      created_at: at(time),
      components: map(),
    }));
    const input = { name: id, impact: 'minor' as const, incident_updates: updates };
    happens(id, logPastIncident({ status: 'absent' }, page, id, input, at(clock)));
  };
  const change = ([id, incident]: [string, ExistingIncident]): void => {
    const status = random.chance(0.6) ? { status: random.pick(statuses(incident)) } : {};
    const update = random.chance(0.7) ? { body: id, components: map() } : {};
    happens(id, changeIncident(incident, page, newId(), { ...status, ...update }, at(clock)));
  };
  const edit = ([id, incident]: [string, ExistingIncident]): void => {
    const time = random.chance(0.7) ? { created_at: at(random.below(clock + 1)) } : {};
    const components = random.chance(0.5) ? { components: map() } : {};
    const updateId = random.pick([...incident.texts.keys()]);
    happens(id, editUpdate(incident, page, updateId, { ...time, ...components }, at(clock)));
  };
  const remove = ([id, incident]: [string, ExistingIncident]): void => {
    if (incident.texts.size === 1) happens(id, deleteIncident(incident, page, at(clock)));
    else happens(id, removeUpdate(incident, page, random.pick([...incident.texts.keys()]), at(clock)));
  };
  const setByHand = (): void => {
    const component_id = random.pick(COMPONENTS);
    const status = random.pick(COMPONENT_STATUSES);
    const data = { page_id: PAGE, component_id, changed_at: at(clock), changes: { status }, previous: {} };
    happensToPage({ type: 'ComponentUpdated', data } satisfies EventOf<'ComponentUpdated'>);
  };

  const hold = (): void => {
    const [component, holder] = [random.pick(COMPONENTS), random.pick(HOLDERS)];
    const status = random.pick(COMPONENT_STATUSES);
    for (const event of holdComponent(page, component, holder, status, at(clock))) happensToPage(event);
  };
  const release = (): void => {
    for (const component of COMPONENTS)
      for (const holder of HOLDERS)
        if (random.chance(0.5))
          for (const event of releaseComponent(page, component, holder, at(clock))) happensToPage(event);
  };

  happensToPage(pageCreated());
  for (const component_id of COMPONENTS) {
    const component = componentFields({ name: component_id, status: random.pick(COMPONENT_STATUSES) });
    happensToPage({
      type: 'ComponentAdded',
      data: { page_id: PAGE, component_id, created_at: at(random.below(clock)), component },
    });
  }
  const steps = 5 + random.below(40);
  for (let step = 0; step < steps; step++) {
    clock += random.below(4);
    const known = existing();
    const lot = random.below(15);
    if (lot > 13) release();
    else if (lot > 11) hold();
    else if (known.length === 0 || lot < 2) open();
    else if (lot < 3) logPast();
    else if (lot < 4) setByHand();
    else if (lot < 8) change(random.pick(known));
    else if (lot < 10) edit(random.pick(known));
    else if (lot < 11) remove(random.pick(known));
    else if (componentsNamedBy(random.pick(known)[1].facts).length > 0) setByHand();
  }
  return { facts, at, length: clock + 10 };
};

/**
 * Returns the facts of a history with other start dates. The first component exists from its creation on, and the
 * others have a start date before the history.
 */
export const withStartDates = (facts: readonly Fact[]): Fact[] =>
  facts.map((fact) => {
    if (fact.type !== 'ComponentAdded') return fact;
    const { data } = fact;
    const start_date = data.component_id === COMPONENTS[0] ? null : '2020-12-30';
    return { ...fact, data: { ...data, component: { ...data.component, start_date } } };
  });
