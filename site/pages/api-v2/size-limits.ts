import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import type { IncidentUpdate } from './schema.ts';

/** Maximum number of incidents in a list, as on Statuspage. */
export const MOST_INCIDENTS = 50;
/**
 * Maximum size of the incidents in a file, in UTF-8 bytes. It is necessary because some incidents have hundreds of long
 * updates.
 */
export const MOST_BYTES = 1_048_576;

interface Presented {
  incident_updates: readonly IncidentUpdate[];
}

/**
 * Returns the JSON of a list with as many incidents as fit, newest first. If a single incident does not fit, its oldest
 * updates are left out.
 */
export const boundedList = async (
  incidents: AsyncIterable<IncidentDocument>,
  present: (incident: IncidentDocument) => Presented,
  most = MOST_BYTES,
): Promise<string> => {
  const texts: string[] = [];
  let left = most;
  for await (const incident of incidents) {
    const text = texts.length === 0 ? boundedText(present(incident), most) : JSON.stringify(present(incident));
    left -= Buffer.byteLength(text);
    if (left < 0 && texts.length > 0) break;
    texts.push(text);
    if (left <= 0) break;
  }
  return `[${texts.join(',')}]`;
};

/** Returns the JSON of an incident. If the incident does not fit, the oldest updates are left out. */
export const boundedText = (presented: Presented, most = MOST_BYTES): string => {
  const text = JSON.stringify(presented);
  if (Buffer.byteLength(text) <= most) return text;
  let left = most - Buffer.byteLength(JSON.stringify({ ...presented, incident_updates: [] }));
  const kept = presented.incident_updates.findIndex(
    (update) => (left -= Buffer.byteLength(JSON.stringify(update)) + 1) < 0,
  );
  return JSON.stringify({ ...presented, incident_updates: presented.incident_updates.slice(0, Math.max(kept, 1)) });
};
