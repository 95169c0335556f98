import { isFields, type Fields } from '../../../domain/fields.ts';
import type { Instant } from '../../../domain/time.ts';
import { Refusal } from '../../apply/client.ts';
import type { ImportedIncident } from '../imported.ts';
import { NotImportable, type HistoryClient, type Problem } from './client.ts';
import { createIncident } from './create-incident.ts';
import { SOURCE_FIELD } from './incident-bodies.ts';
import { arrayOf, type TargetPage } from './page.ts';
import { changesOf } from './update-incident.ts';

export interface IncidentCounts {
  created: number;
  updated: number;
  unchanged: number;
  problems: Problem[];
}

export interface IncidentOptions {
  now: Instant;
  /** whether to compare only, without changing anything */
  dryRun: boolean;
  /** called with the number of incidents that are done */
  onProgress?: (done: number) => void;
}

/**
 * Imports the incidents of a page, oldest first. An incident that an earlier import has created is updated.
 *
 * @param page null if the page does not exist yet, as in a dry run before the configuration is applied
 * @throws OperatorError the service can't be reached
 */
export const importIncidents = async (
  client: HistoryClient,
  page: TargetPage | null,
  incidents: readonly ImportedIncident[],
  { now, dryRun, onProgress }: IncidentOptions,
): Promise<IncidentCounts> => {
  const counts: IncidentCounts = { created: 0, updated: 0, unchanged: 0, problems: [] };
  if (!page) return { ...counts, created: incidents.length };
  const find = finder(await existingIncidents(client, page));
  for (const [index, incident] of incidents.entries()) {
    try {
      const existing = find(incident);
      const changes = existing ? changesOf(page, existing, incident, now) : [];
      if (!dryRun && !existing) await createIncident(client, page, incident, now);
      if (!dryRun) for (const change of changes) await change(client);
      counts[!existing ? 'created' : changes.length > 0 ? 'updated' : 'unchanged'] += 1;
    } catch (error) {
      // Other incidents can be imported all the same, unless the service can't be reached.
      if (!(error instanceof Refusal || error instanceof NotImportable)) throw error;
      // A dry run takes place before the components exist.
      if (dryRun) counts.updated += 1;
      else counts.problems.push({ kind: 'incident', name: incident.name, sentence: error.message });
    }
    onProgress?.(index + 1);
  }
  return counts;
};

const existingIncidents = async (client: HistoryClient, { path }: TargetPage): Promise<Fields[]> => {
  const all = 'scheduled,in_progress,verifying,completed';
  const incidents = arrayOf(await client.get(`${path}/incidents`));
  return [...incidents, ...arrayOf(await client.get(`${path}/incidents/maintenance?status=${all}`))];
};

/** The first update identifies an incident without the metadata of an import. */
const keyOf = (name: unknown, time: unknown): string => JSON.stringify([name, String(time).slice(0, 23)]);

const firstTimeOf = (incident: Fields): string =>
  String(arrayOf(incident['incident_updates']).at(-1)?.['created_at']).slice(0, 23);

/**
 * Whether an incident of the service comes from the row of an imported one, which has another `source_id` now: the row was
 * renamed, or an earlier release imported it.
 */
const isOfRow = (
  source: string,
  existing: Fields,
  { source_id, source_row, kind, name, schedule, updates }: ImportedIncident,
): boolean => {
  if (source_row === undefined || !(source === source_row || source.startsWith(`${source_row}:`))) return false;
  if (kind === 'incident') return firstTimeOf(existing) === updates[0]?.created_at.slice(0, 23);
  const isAtSameTime = existing['scheduled_for'] === schedule?.['scheduled_for'];
  if (source === source_row) return isAtSameTime || existing['name'] === name;
  // The slug of the page follows the row in the id of a maintenance, and installations have different slugs.
  const place = source_id.slice(0, source_id.indexOf(':', source_row.length + 1) + 1);
  return isAtSameTime && source.startsWith(place);
};

/** Creates a function that finds the incident of the service for an imported one: by its source, or by name and first time. */
const finder = (existing: readonly Fields[]): ((incident: ImportedIncident) => Fields | null) => {
  const bySource = new Map<string, Fields>();
  const byFirstUpdate = new Map<string, Fields>();
  for (const incident of existing) {
    const source = isFields(incident['metadata']) ? incident['metadata'][SOURCE_FIELD] : undefined;
    if (typeof source === 'string') bySource.set(source, incident);
    else byFirstUpdate.set(keyOf(incident['name'], firstTimeOf(incident)), incident);
  }
  const sources = [...bySource];
  const byRow = (imported: ImportedIncident): Fields | undefined =>
    sources.find(([source, incident]) => isOfRow(source, incident, imported))?.[1];
  return (imported) =>
    bySource.get(imported.source_id) ??
    byRow(imported) ??
    byFirstUpdate.get(keyOf(imported.name, imported.updates[0]?.created_at)) ??
    null;
};
