import { Invalid } from '../errors.ts';
import type { IncidentEvent } from './events.ts';
import { inEffect, type IncidentFact } from './facts.ts';
import { MAX_INCIDENT_BYTES } from './rules.ts';
import { incidentDecider, type ExistingIncident, type Incident, type UpdateText } from './state.ts';

/**
 * Upper bounds, in bytes, for the size of a stored update without its text and components, and of a stored fact without
 * its components.
 */
const UPDATE_BYTES = 400;
const FACT_BYTES = 250;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * A cache of sizes. Facts and texts are immutable, so each needs to be measured only one time, although every change
 * measures the incident.
 */
const measured = new WeakMap<IncidentFact | UpdateText, number>();

const bytesOnce = (key: IncidentFact | UpdateText, value: unknown): number => {
  let bytes = measured.get(key);
  if (bytes === undefined) measured.set(key, (bytes = bytesOf(value)));
  return bytes;
};

/**
 * Returns the approximate size of the updates and facts of an incident in the largest document that contains them, in
 * bytes of JSON. Components count twice, because documents contain both the components in the requests and the
 * components in effect.
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
 * Rejects an event that would make the updates of an incident too large to store
 * (docs/reference/incidents.md#size-of-an-incident). Never rejects an event that does not increase the size.
 *
 * @param field the request field to which the error refers
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

const TOO_LARGE = `The updates of an incident can have at most ${MAX_INCIDENT_BYTES / 1_048_576} MiB together, as JSON.`;
