import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** When a check last ran; separate from the check's document, which no result rewrites. */
export interface CheckActivityDocument {
  /** id of the check */
  id: string;
  organization_id: string;
  last_checked_at: Instant;
  /** when the newest run was due */
  slot: Instant;
  /** the last results in the order of the log, newest first, since a result may come again */
  results: readonly string[];
}

/** How many results a document remembers: those of all regions for the runs within which a result can come again. */
const REMEMBERED = 32;

/** How far the log may deviate from the order in which several workers recorded their results. */
const OUT_OF_ORDER_MS = 60_000;

/**
 * Whether a result was recorded before the newest one. If the newest was due long after this one was recorded, its
 * clock was wrong, and it no longer counts.
 */
const isOlder = (at: Instant, known: CheckActivityDocument): boolean =>
  at < known.last_checked_at && millisecondsOf(known.slot) - millisecondsOf(at) <= OUT_OF_ORDER_MS;

export const checkActivity = defineProjection({
  name: 'check_activity',
  version: 4,
  log: 'results',
  collections: {
    check_activity: collection<CheckActivityDocument>({ indexes: [], expires: { field: 'last_checked_at' } }),
  },
  documents: (event) => (event.data.check_id === undefined ? {} : { check_activity: [event.data.check_id] }),
  on: {
    CheckRunCompleted: ({ data, metadata }, { check_activity }) => {
      if (data.check_id === undefined || data.late === true || data.outdated === true || data.suspect === true) return;
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
