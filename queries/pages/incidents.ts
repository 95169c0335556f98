import type { IncidentStatus, MaintenanceStatus } from '../../domain/incident/statuses.ts';
import { requireFound, notFound } from '../../domain/existence.ts';
import type { Instant } from '../../domain/time.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { IncidentDocument, IncidentUpdateView } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { readComponentVersions, withoutDeletedChecks, groupWithStatus } from './components.ts';
import { anyOf, createdWithin } from '../engine/filters.ts';
import { skipAndLimitOf, type Paging } from '../engine/listing.ts';
import { findPage } from './pages.ts';
import type { ReadScope } from '../engine/scope.ts';

/** The ids of an incident and of its page. */
export interface IncidentIds {
  page_id: string;
  incident_id: string;
}

export interface UpdateIds extends IncidentIds {
  incident_update_id: string;
}

/** An incident and its named components, by position. Components that were removed are omitted. */
export interface JoinedIncident {
  incident: IncidentDocument;
  components: readonly ComponentDocument[];
}

/** @throws NotFound */
export const findIncident = async (
  scope: ReadScope,
  { page_id, incident_id }: IncidentIds,
): Promise<IncidentDocument> => {
  const [, incident] = await Promise.all([findPage(scope, page_id), scope.read(incidents).incidents.get(incident_id)]);
  if (incident?.page_id !== page_id) throw notFound('incident');
  return incident;
};

/** @throws NotFound */
export const incidentWithComponents = async (scope: ReadScope, place: IncidentIds): Promise<JoinedIncident> => {
  const incident = await findIncident(scope, place);
  return joining(scope)(incident);
};

/** The fields of an incident in a list. */
export type IncidentSummary = Pick<IncidentDocument, (typeof SUMMARY)[number]>;

const SUMMARY = [
  'id',
  'organization_id',
  'page_id',
  'name',
  'status',
  'impact',
  'component_ids',
  'monitoring_at',
  'resolved_at',
  'scheduled_for',
  'scheduled_until',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof IncidentDocument)[];

/** Reads summaries of those incidents that belong to the organization. Does not read their texts, which can be long. */
export const findIncidentSummaries = async (
  { read, organizationId }: ReadScope,
  ids: readonly string[],
): Promise<IncidentSummary[]> => {
  const found = await read(incidents).incidents.pick(SUMMARY, { where: { id: { $in: [...ids] } } });
  return found.filter(({ organization_id }) => organization_id === organizationId);
};

/** Finds an update, and the ids of all components that its incident names. @throws NotFound */
export const findUpdate = async (
  scope: ReadScope,
  place: UpdateIds,
): Promise<{ update: IncidentUpdateView; named: readonly string[] }> => {
  const { incident_updates, component_ids: named } = await findIncident(scope, place);
  const update = incident_updates.find(({ id }) => id === place.incident_update_id);
  return { update: requireFound(update, 'incident update'), named };
};

const NEWEST_FIRST = { created_at: -1 } as const;

/** Incidents of a page, newest first. */
export interface IncidentList {
  /**
   * Reads all incidents in order. Reads only a few at a time, when the caller needs them, because they can be very
   * large in total.
   */
  incidents: () => AsyncGenerator<JoinedIncident>;
  /** Reads a page of the incidents. `total` is the number of incidents in the whole list. */
  page: (paging: Paging) => Promise<{ incidents: AsyncGenerator<JoinedIncident>; total: number }>;
  /** Returns a text that differs after each change of anything that the list shows. */
  version: () => Promise<string>;
}

type Kind = IncidentDocument['kind'];

/** Filters for incidents. Without a filter, all incidents are listed. */
export interface IncidentFilters {
  /** Matches incidents that name this component. */
  component_id?: string;
  status?: readonly IncidentStatus[];
  /** Matches incidents created at this time or later. */
  since?: Instant;
  /** Matches incidents created at this time or earlier. */
  until?: Instant;
}

/** The regular incidents of a page, newest first. */
export const listIncidents = (
  scope: Pick<ReadScope, 'read'>,
  { id: page_id }: PageDocument,
  filters: IncidentFilters = {},
): IncidentList => listOf(scope, { all: { page_id, kind: 'regular' }, filters });

/** The open incidents of a page, newest first. */
export const listUnresolved = (
  scope: Pick<ReadScope, 'read'>,
  { id: page_id }: PageDocument,
  filters: IncidentFilters = {},
): IncidentList => listOf(scope, { all: { page_id, kind: 'regular' }, filters, open: true });

/** The maintenances of a page in any of these statuses, newest first. */
export const listMaintenances = (
  scope: Pick<ReadScope, 'read'>,
  { id: page_id }: PageDocument,
  status: readonly MaintenanceStatus[],
  filters: Omit<IncidentFilters, 'status'> = {},
): IncidentList => listOf(scope, { all: { page_id, kind: 'maintenance' }, filters: { ...filters, status } });

/** Conditions for the incidents in a list. */
interface Listed {
  /** Selects the incidents of one kind of a page. */
  all: { page_id: string; kind: Kind };
  filters: IncidentFilters;
  /** Whether to list only incidents that are not resolved. */
  open?: boolean;
}

const listOf = (scope: Pick<ReadScope, 'read'>, listed: Listed): IncidentList => {
  const { all, filters, open = false } = listed;
  /**
   * Tests whether an incident still belongs to the list. The incident can change after its id was read and before its
   * document is read.
   */
  const isListed = ({ status, resolved_at }: IncidentDocument): boolean =>
    (!open || resolved_at === null) && (filters.status?.includes(status) ?? true);
  const read = async function* (ids: readonly string[]): AsyncGenerator<JoinedIncident> {
    const joined = joining(scope);
    for await (const some of readDocuments(scope, ids)) {
      for (const incident of some) if (isListed(incident)) yield await joined(incident);
    }
  };
  return {
    incidents: async function* () {
      yield* read((await idsOf(scope, listed)).ids);
    },
    page: async (paging) => {
      const { ids, total } = await idsOf(scope, listed, paging);
      return { incidents: read(ids), total };
    },
    version: async () => {
      const model = scope.read(incidents).incidents;
      const [count, last, own] = await Promise.all([
        model.count(all),
        model.pick(['id', 'changed_position', 'updated_at'], {
          where: all,
          sort: { changed_position: -1, updated_at: -1 },
          limit: 1,
        }),
        readComponentVersions(scope, all.page_id),
      ]);
      // Include the components, because they can change without a change of any incident.
      return JSON.stringify([listed, count, last, own]);
    },
  };
};

interface FoundIds {
  ids: string[];
  total: number;
}

/** Returns the ids of all listed incidents, or of those on one page. Does not read their texts. */
const idsOf = async (
  { read }: Pick<ReadScope, 'read'>,
  { all, filters, open = false }: Listed,
  paging?: Paging,
): Promise<FoundIds> => {
  const { incidents: model, incident_components } = read(incidents);
  const { component_id, status, since, until } = filters;
  const which = { ...(open && { resolved_at: null }), ...(status && { status: anyOf(status) }) };
  const created = { ...all, ...createdWithin(since, until) };
  const place = skipAndLimitOf(paging);
  if (component_id === undefined) {
    const where = { ...created, ...which };
    const found = await model.pick(['id'], { where, sort: NEWEST_FIRST, ...place });
    return { ids: found.map(({ id }) => id), total: paging ? await model.count(where) : found.length };
  }
  const where = { ...created, component_id };
  const isNarrowed = Object.keys(which).length > 0;
  const naming = await incident_components.pick(['incident_id'], {
    where,
    sort: NEWEST_FIRST,
    ...(!isNarrowed && place),
  });
  const named = naming.map(({ incident_id }) => incident_id);
  if (!isNarrowed) return { ids: named, total: paging ? await incident_components.count(where) : named.length };
  const wanted = new Set((await model.pick(['id'], { where: { ...created, ...which } })).map(({ id }) => id));
  const ids = named.filter((id) => wanted.has(id));
  const { skip = 0, limit = ids.length } = place;
  return { ids: ids.slice(skip, skip + limit), total: ids.length };
};

/** Maximum number of short incidents that are read together. */
const MOST_AT_ONCE = 4;
/** Length above which an incident is read alone, in characters. */
const LONG = 16_384;

/** Reads documents in the order of `ids`, in small batches. Omits documents that were deleted in the meantime. */
export async function* readDocuments(
  { read }: Pick<ReadScope, 'read'>,
  ids: readonly string[],
): AsyncGenerator<readonly IncidentDocument[]> {
  const model = read(incidents).incidents;
  for (let at = 0, some = 1; at < ids.length;) {
    const found = await model.getMany(ids.slice(at, at + some));
    at += some;
    some = found.some((one) => lengthOf(one) >= LONG) ? 1 : Math.min(MOST_AT_ONCE, some * 2);
    yield found;
  }
}

/** Returns the approximate length of an incident, in characters. Each component that an update sets adds 100. */
const lengthOf = ({ incident_updates }: IncidentDocument): number =>
  incident_updates.reduce((sum, { body, components: set }) => sum + body.length + 100 * Object.keys(set).length, 0);

/** Creates a function that adds the components to an incident. Reads each component once. */
const joining = (scope: Pick<ReadScope, 'read'>): ((document: IncidentDocument) => Promise<JoinedIncident>) => {
  /** Components by id. Null for a removed component. */
  const known = new Map<string, ComponentDocument | null>();
  return async (incident) => {
    const unknown = incident.component_ids.filter((id) => !known.has(id));
    if (unknown.length > 0) {
      for (const id of unknown) known.set(id, null);
      const found = await scope.read(components).components.getMany(unknown);
      for (const one of await withoutDeletedChecks(scope, found)) known.set(one.id, groupWithStatus(one, []));
    }
    const named = incident.component_ids.flatMap((id) => known.get(id) ?? []);
    // The components are returned next to the document, not in a copy of it: V8 turns a copy with this many fields into
    // a slow dictionary.
    return { incident, components: named.sort(byPosition) };
  };
};

const byPosition = (a: ComponentDocument, b: ComponentDocument): number =>
  a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1);
