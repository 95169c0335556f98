import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { mergedList } from '../../live/merge-list.ts';
import { call } from '../../session/call.ts';

/** Maximum number of failing checks, and maximum number of alerts, that the overview lists. */
const MOST_LISTED = 10;

/** The counts of checks by status, and the failing checks whose status changed most recently. */
export const CHECKS: LiveSource<{
  failing: readonly Schemas['OverviewRow'][];
  counts: { down: number; up: number; pending: number; paused: number };
}> = {
  load: async (signal) => {
    const query = { status: ['down'] as const, page_size: MOST_LISTED };
    const { checks, counts } = await call('GET /v1/checks/overview', { query }, { signal });
    return { failing: checks, counts };
  },
  resources: ['check', 'check_group'],
  merge: () => null,
};

export interface Alerts {
  alerts: readonly Schemas['AlertRow'][];
  count: number;
  /** e-mail addresses of users who acknowledged an alert, by id */
  people: ReadonlyMap<string, string>;
}

/** The active alerts, which are firing or acknowledged. */
export const ALERTS: LiveSource<Alerts> = {
  load: async (signal) => {
    const query = { status: ['active'] as const, per_page: MOST_LISTED };
    const { alerts, pagination } = await call('GET /v1/alerts', { query }, { signal });
    const isHandled = alerts.some(({ acknowledged_by_id }) => acknowledged_by_id !== null);
    const users = isHandled ? await call('GET /v1/users', {}, { signal }) : [];
    return { alerts, count: pagination.total, people: new Map(users.map(({ id, email }) => [id, email])) };
  },
  resources: ['alert'],
  merge: () => null,
};

type Heartbeat = Schemas['HeartbeatRow'];

const isLate = ({ status }: Heartbeat): boolean => status === 'grace' || status === 'down';

/** The heartbeats with an overdue ping, heartbeats that are down first. */
export const HEARTBEATS: LiveSource<readonly Heartbeat[]> = {
  load: async (signal) => {
    const late: Heartbeat[] = [];
    for (let page = 1, created: string | undefined; ; page++) {
      const query = {
        status: ['down', 'grace'] as const,
        per_page: 100,
        page,
        ...(created !== undefined && { created_until: created }),
      };
      const { checks, pagination } = await call('GET /v1/heartbeats', { query }, { signal });
      created ??= checks[0]?.created_at;
      late.push(...checks);
      if (!pagination.has_next) return late.sort(downFirst);
    }
  },
  resources: ['heartbeat'],
  merge: (late, changes) => mergedList(late, changes, isLate)?.sort(downFirst) ?? null,
};

const downFirst = (one: Heartbeat, other: Heartbeat): number =>
  Number(other.status === 'down') - Number(one.status === 'down') ||
  (one.next_expected_ping ?? '').localeCompare(other.next_expected_ping ?? '');

export type IncidentLine = Pick<
  Schemas['IncidentRow'],
  'id' | 'page_id' | 'name' | 'status' | 'impact' | 'scheduled_for' | 'scheduled_until' | 'created_at'
>;

const RUNNING: readonly IncidentLine['status'][] = [
  'investigating',
  'identified',
  'monitoring',
  'in_progress',
  'verifying',
];

const isRunning = ({ status }: IncidentLine): boolean => RUNNING.includes(status);

export interface Incidents {
  incidents: readonly IncidentLine[];
  /** page names by id */
  pages: ReadonlyMap<string, string>;
}

/** Number of status pages whose incidents are read concurrently. */
const AT_ONCE = 4;

const incidentsOf = async (page_id: string, signal: AbortSignal): Promise<IncidentLine[]> => {
  const params = { page_id };
  const [unresolved, maintenance] = await Promise.all([
    call('GET /v1/pages/{page_id}/incidents/unresolved', { params, query: { updates: false } }, { signal }),
    call(
      'GET /v1/pages/{page_id}/incidents/maintenance',
      { params, query: { updates: false, status: ['in_progress', 'verifying'], page: 1, page_size: 100 } },
      { signal },
    ),
  ]);
  const all = [unresolved, maintenance].flatMap((list): readonly IncidentLine[] =>
    'incidents' in list ? list.incidents : list,
  );
  return [...new Map(all.filter(isRunning).map((incident) => [incident.id, incident])).values()];
};

const pagesOf = async (signal: AbortSignal): Promise<Map<string, string>> => {
  const names = new Map<string, string>();
  for (let page = 1; ; page++) {
    const { pages, pagination } = await call('GET /v1/pages', { query: { page, page_size: 100 } }, { signal });
    for (const { id, name } of pages) names.set(id, name);
    if (!pagination.has_next) return names;
  }
};

/** The active incidents and maintenances of all status pages. */
export const INCIDENTS: LiveSource<Incidents> = {
  load: async (signal) => {
    const pages = await pagesOf(signal);
    const waiting = [...pages.keys()];
    const incidents: IncidentLine[] = [];
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        incidents.push(...(await incidentsOf(id, signal)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { incidents: incidents.sort(newestFirst), pages };
  },
  resources: ['incident', 'page'],
  merge: ({ incidents, pages }, changes) => {
    if (changes.some(({ resource }) => resource === 'page')) return null;
    const merged = mergedList(incidents, changes, isRunning);
    return merged && { incidents: merged.sort(newestFirst), pages };
  },
};

const newestFirst = (one: IncidentLine, other: IncidentLine): number => other.created_at.localeCompare(one.created_at);
