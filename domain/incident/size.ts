import { Invalid } from '../errors.ts';
import type { IncidentEvent } from './events.ts';
import { inEffect, type Fact } from './facts.ts';
import { MAX_INCIDENT_BYTES } from './rules.ts';
import { incidentDecider, type ExistingIncident, type Incident, type UpdateText } from './state.ts';

/** What a stored update has besides its text and components, and a status besides its components, in bytes at most. */
const UPDATE_BYTES = 400;
const FACT_BYTES = 250;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Facts and texts never change, and an incident is measured whenever it does. */
const measured = new WeakMap<Fact | UpdateText, number>();

const bytesOnce = (key: Fact | UpdateText, value: unknown): number => {
  let bytes = measured.get(key);
  if (bytes === undefined) measured.set(key, (bytes = bytesOf(value)));
  return bytes;
};

/**
 * About how many bytes the updates and statuses of an incident take in the largest document that holds them, as JSON: a
 * control character takes six. Each names components twice: what it says, and what it is shown with.
 */
export const storedBytes = ({ facts, texts }: Pick<ExistingIncident, 'facts' | 'texts'>): number => {
  let bytes = 0;
  for (const fact of facts) bytes += FACT_BYTES + bytesOnce(fact, fact.components);
  for (const fact of inEffect(facts)) {
    const text = fact.update_id === null ? undefined : texts.get(fact.update_id);
    if (text) bytes += UPDATE_BYTES + bytesOnce(fact, fact.components) + bytesOnce(text, text.body);
  }
  return bytes;
};

/**
 * Refuses an event that would let the updates of an incident outgrow what stores hold (docs/decisions.md: Incidents). One
 * that makes an incident smaller is never refused.
 *
 * @param field of the request that is to blame
 * @throws Invalid
 */
export const checkSize = (incident: Incident, event: IncidentEvent, field: string): void => {
  const after = incidentDecider.evolve(incident, event);
  if (after.status !== 'active') return;
  const bytes = storedBytes(after);
  if (bytes <= MAX_INCIDENT_BYTES) return;
  if (incident.status === 'active' && bytes <= storedBytes(incident)) return;
  throw Invalid.field(field, TOO_LARGE);
};

const TOO_LARGE = `The updates of an incident can have at most ${(MAX_INCIDENT_BYTES / 1_048_576).toString()} MiB together, as JSON.`;
