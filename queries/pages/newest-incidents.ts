import type { IncidentKind, IncidentStatus } from '../../domain/incident/statuses.ts';
import type { Instant } from '../../domain/time.ts';
import type { IncidentDocument } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { anyOf } from '../engine/filters.ts';
import type { ReadScope } from '../engine/scope.ts';
import { readDocuments } from './incidents.ts';

/** Filters for the incidents of a page. Without a filter, all incidents and maintenances are included. */
export interface IncidentSelection {
  kind?: IncidentKind;
  statuses?: readonly IncidentStatus[];
  /** Matches incidents that name one of these components. */
  componentIds?: readonly string[];
}

/** The id and creation time of an incident. */
interface Found {
  id: string;
  created_at: Instant;
}

const KINDS: readonly IncidentKind[] = ['regular', 'maintenance'];

/**
 * Reads the newest incidents of a page by creation time, newest first. Reads all ids first. The documents can be long,
 * so they are read in small batches when the caller needs them.
 */
export const readNewestIncidents = async function* (
  scope: Pick<ReadScope, 'read'>,
  page: Pick<PageDocument, 'id'>,
  which: IncidentSelection,
  most: number,
): AsyncGenerator<IncidentDocument> {
  const kinds = which.kind === undefined ? KINDS : [which.kind];
  const found = (await Promise.all(kinds.map((kind) => newestOf(scope, page, { ...which, kind }, most)))).flat();
  const ids = found.sort(newestFirst).map(({ id }) => id);
  for await (const some of readDocuments(scope, [...new Set(ids)].slice(0, most))) {
    // Test the status again, because it might have changed after the id was read.
    for (const one of some) if (which.statuses?.includes(one.status) ?? true) yield one;
  }
};

const newestFirst = (a: Found, b: Found): number =>
  a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : a.id < b.id ? 1 : -1;

const NEWEST_FIRST = { created_at: -1 } as const;

const newestOf = async (
  { read }: Pick<ReadScope, 'read'>,
  { id: page_id }: Pick<PageDocument, 'id'>,
  { kind, statuses, componentIds }: IncidentSelection & { kind: IncidentKind },
  most: number,
): Promise<readonly Found[]> => {
  const { incidents: model, incident_components } = read(incidents);
  if (componentIds === undefined) {
    const where = { page_id, kind, ...(statuses && { status: anyOf(statuses) }) };
    return model.pick(['id', 'created_at'], { where, sort: NEWEST_FIRST, limit: most });
  }
  if (componentIds.length === 0) return [];
  const naming = await incident_components.pick(['incident_id', 'created_at'], {
    where: { page_id, component_id: anyOf(componentIds), kind },
    sort: NEWEST_FIRST,
    // An incident that names several of these components is found once per component, so read enough rows to find
    // `most` different incidents.
    limit: most * componentIds.length,
  });
  return naming.map(({ incident_id, created_at }) => ({ id: incident_id, created_at }));
};

/**
 * Number of the most recently changed maintenances, and of the most recently changed other incidents, that are read in
 * addition to the incidents with the newest updates.
 */
const LAST_CHANGED = 10;

/**
 * Reads incidents of a page in small batches, without a particular order. They include all incidents with the newest
 * updates, status changes and postmortems of the page.
 *
 * @param most number of newest updates whose incidents must be included
 */
export const readRecentlyActiveIncidents = async function* (
  scope: Pick<ReadScope, 'read'>,
  { id: page_id }: Pick<PageDocument, 'id'>,
  most: number,
): AsyncGenerator<IncidentDocument> {
  const { incidents: model, incident_updates } = scope.read(incidents);
  const lastChanged = (kind: IncidentKind) =>
    model.pick(['id', 'changed_position', 'updated_at'], {
      where: { page_id, kind },
      sort: { changed_position: -1, updated_at: -1 },
      limit: LAST_CHANGED,
    });
  const [updates, ...changed] = await Promise.all([
    incident_updates.find({ where: { page_id }, sort: NEWEST_FIRST, limit: most }),
    ...KINDS.map(lastChanged),
  ]);
  const ids = [...updates.map(({ incident_id }) => incident_id), ...changed.flat().map(({ id }) => id)];
  for await (const some of readDocuments(scope, [...new Set(ids)])) yield* some;
};

/** Returns the most recent time at which anything changed that visitors see on a page. Removals are not considered. */
export const pageChangedAt = async (
  { read }: Pick<ReadScope, 'read'>,
  page: Pick<PageDocument, 'id' | 'updated_at'>,
  components: readonly { updated_at: Instant }[],
): Promise<Instant> => {
  const lastOf = (kind: IncidentKind) =>
    read(incidents).incidents.pick(['id', 'changed_position', 'updated_at'], {
      where: { page_id: page.id, kind },
      sort: { changed_position: -1, updated_at: -1 },
      limit: 1,
    });
  const last = (await Promise.all(KINDS.map(lastOf))).flat();
  return [...components, ...last].reduce(
    (latest, { updated_at }) => (updated_at > latest ? updated_at : latest),
    page.updated_at,
  );
};
