import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';
import { LATE, matches, NOT_LATE, queryOf, stateOf, type Filter } from './filter.ts';

export type Heartbeat = Schemas['HeartbeatRow'];

/** The data of a page of the list. */
export interface HeartbeatPage {
  /** late heartbeats, those that are down first; loaded only for the first page, and only without a status filter */
  late: readonly Heartbeat[];
  /** the total number of late heartbeats */
  lateCount: number;
  /** all other heartbeats, newest first */
  rest: readonly Heartbeat[];
  pagination: { page: number; total_pages: number; total_items: number };
}

const PAGE_SIZE = 50;
/** Maximum page size. */
const MOST_LATE = 100;

const downFirst = (one: Heartbeat, other: Heartbeat): number =>
  Number(other.status === 'down') - Number(one.status === 'down') ||
  (one.next_expected_ping ?? '').localeCompare(other.next_expected_ping ?? '');

const isLate = (row: Heartbeat): boolean => LATE.includes(stateOf(row));

/** Returns a page of the heartbeats that match a filter. */
export const listOf = (filter: Filter, page: number): LiveSource<HeartbeatPage> => {
  const hasLate = filter.statuses.length === 0 && page === 1;
  return {
    load: async (signal) => {
      const [late, rest] = await Promise.all([
        hasLate
          ? call('GET /v1/heartbeats', { query: { ...queryOf(filter, LATE), per_page: MOST_LATE } }, { signal })
          : null,
        call('GET /v1/heartbeats', { query: { ...queryOf(filter, NOT_LATE), page, per_page: PAGE_SIZE } }, { signal }),
      ]);
      const { pages, total } = rest.pagination;
      return {
        late: [...(late?.checks ?? [])].sort(downFirst),
        lateCount: late?.pagination.total ?? 0,
        rest: rest.checks,
        pagination: { page, total_pages: pages, total_items: total },
      };
    },
    resources: ['heartbeat'],
    merge: (listed, changes) => {
      let { late, rest } = listed;
      for (const { id, change, row } of changes) {
        const before = late.find((one) => one.id === id) ?? rest.find((one) => one.id === id);
        if (change === 'deleted' && !before) continue;
        const next = row as Heartbeat | undefined;
        if (!next) return null;
        if (!before) {
          if (matches(next, filter)) return null;
          continue;
        }
        if (!matches(next, filter) || isLate(before) !== isLate(next)) return null;
        late = late.map((one) => (one.id === id ? next : one)).sort(downFirst);
        rest = rest.map((one) => (one.id === id ? next : one));
      }
      return { ...listed, late, rest };
    },
  };
};
