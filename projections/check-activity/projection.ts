import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** When a check ran last; apart from the check's document, which no result rewrites. */
export interface CheckActivityDocument {
  /** the check's */
  id: string;
  organization_id: string;
  last_checked_at: Instant;
  /** when the newest run was due */
  slot: Instant;
  /** the last results in the order of the log, the newest first, since one may come again */
  results: readonly string[];
}

/** How many results a document remembers: those of all regions of the runs within which one can come again. */
const REMEMBERED = 32;

/** How far results of several workers may stand in the log in another order than they were recorded in. */
const OUT_OF_ORDER_MS = 60_000;

/**
 * Whether a result was recorded before the newest one. One that was due long after this was recorded was told by a
 * clock that was wrong, and does not count any more.
 */
const isOlder = (at: Instant, known: CheckActivityDocument): boolean =>
  at < known.last_checked_at && millisecondsOf(known.slot) - millisecondsOf(at) <= OUT_OF_ORDER_MS;

export const checkActivity = defineProjection({
  name: 'check_activity',
  version: 3,
  log: 'results',
  collections: {
    check_activity: collection<CheckActivityDocument>({ indexes: [], expires: { field: 'last_checked_at' } }),
  },
  documents: (event) => (event.data.check_id === undefined ? {} : { check_activity: [event.data.check_id] }),
  on: {
    CheckRunCompleted: ({ data, metadata }, { check_activity }) => {
      if (data.check_id === undefined || data.late === true || data.outdated === true) return;
      const { recorded_at: at } = metadata;
      const known = check_activity.get(data.check_id);
      if (known?.results.includes(data.result_id)) return;
      const newest = known && isOlder(at, known) ? known : { last_checked_at: at, slot: data.slot };
      check_activity.put({
        id: data.check_id,
        organization_id: data.organization_id,
        last_checked_at: newest.last_checked_at,
        slot: newest.slot,
        results: [data.result_id, ...(known?.results ?? [])].slice(0, REMEMBERED),
      });
    },
  },
});
