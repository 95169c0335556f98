import { MAX_LISTED, type IncidentContent } from '../../domain/report/content.ts';
import { mergeSpans, NO_TIME_SPANS, type TimeSpans } from '../../domain/report/time-spans.ts';
import type { Instant } from '../../domain/time.ts';
import type { IncidentDocument } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { findNamedComponents } from '../pages/components.ts';
import type { Scope } from '../engine/scope.ts';
import { secondsBetween, overlapOf } from './outages.ts';

/** The incidents of pages within a period. */
export interface ReportIncidents {
  /** Number of incidents, including maintenances. */
  count: number;
  /** Time spans of regular incidents, limited to the period. */
  spans: TimeSpans;
  /** Incidents, newest first. Truncated if there are very many. */
  listed: IncidentContent[];
}

/** Number of incidents that are read together. It is small, because an incident can be a megabyte. */
const AT_ONCE = 20;
/** Kinds of incidents. Each kind is read separately, because the index begins with the kind, followed by the time. */
const KINDS = ['regular', 'maintenance'] as const;

/** Returns the start of an incident, or the planned start of a maintenance. */
const startOf = ({ kind, scheduled_for, created_at }: IncidentDocument): Instant =>
  kind === 'maintenance' ? (scheduled_for ?? created_at) : created_at;

/** Reads the incidents and maintenances of pages that were open in a period, with their updates. */
export const readReportIncidents = async (
  scope: Pick<Scope, 'read' | 'now'>,
  pages: readonly PageDocument[],
  time: { from: Instant; to: Instant },
  pause: () => Promise<void>,
): Promise<ReportIncidents> => {
  const found: ReportIncidents = { count: 0, spans: NO_TIME_SPANS, listed: [] };
  for (const page of pages) {
    for (const kind of KINDS) {
      for await (const some of openIn(scope, { page_id: page.id, kind }, time)) {
        // Skip maintenances that have not begun.
        const within = some.filter((one) => one.status !== 'scheduled' && startOf(one) <= time.to);
        await take(scope, page, within, time, found);
        found.listed = newest(found.listed);
        await pause();
      }
    }
  }
  return found;
};

/** Returns the newest incidents, up to the maximum number of listed ones. */
const newest = (all: readonly IncidentContent[]): IncidentContent[] =>
  all.toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, MAX_LISTED);

/** Reads the incidents that were open in a period, newest first, in batches. */
async function* openIn(
  { read }: Pick<Scope, 'read'>,
  which: Pick<IncidentDocument, 'page_id' | 'kind'>,
  { from, to }: { from: Instant; to: Instant },
): AsyncGenerator<IncidentDocument[]> {
  for (let last = to, known: string[] = []; ;) {
    const some = await read(incidents).incidents.find({
      where: {
        ...which,
        created_at: { $lte: last },
        // Several incidents can have the same time, for example after an import. So exclude those already read.
        id: { $nin: known },
        $or: [{ resolved_at: null }, { resolved_at: { $gte: from } }],
      },
      sort: { created_at: -1 },
      limit: AT_ONCE,
    });
    yield some;
    const end = some.at(-1)?.created_at;
    if (end === undefined || some.length < AT_ONCE) return;
    const ending = some.filter(({ created_at }) => created_at === end).map(({ id }) => id);
    known = end === last ? [...known, ...ending] : ending;
    last = end;
  }
}

const take = async (
  scope: Pick<Scope, 'read' | 'now'>,
  page: PageDocument,
  some: readonly IncidentDocument[],
  time: { from: Instant; to: Instant },
  found: ReportIncidents,
): Promise<void> => {
  const named = await findNamedComponents(
    scope,
    page.id,
    some.flatMap(({ component_ids }) => component_ids),
  );
  const spans: [number, number][] = [];
  for (const incident of some) {
    const started_at = startOf(incident);
    const end = incident.resolved_at ?? scope.now;
    found.count += 1;
    const [from, to] = incident.kind === 'regular' ? overlapOf(started_at, end, time) : [];
    if (from !== undefined && to !== undefined) spans.push([from, to]);
    const { id, name, kind, impact, status, resolved_at, component_ids, incident_updates } = incident;
    found.listed.push({
      id,
      name,
      kind,
      page: page.name,
      impact,
      status,
      started_at,
      resolved_at,
      duration: secondsBetween(started_at, end),
      components: component_ids.flatMap((one) => named.get(one)?.name ?? []),
      updates: incident_updates.map(({ created_at, status, body }) => ({ created_at, status, body })).reverse(),
    });
  }
  found.spans = mergeSpans(found.spans, spans.sort(([a], [b]) => a - b).flat());
};
