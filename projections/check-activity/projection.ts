import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/define.ts';

/** When a check ran last; apart from the check's document, which no result rewrites. */
export interface CheckActivityDocument {
  /** the check's */
  id: string;
  organization_id: string;
  last_checked_at: Instant;
  /** when the newest run was due; older ones that come late change nothing */
  slot: Instant;
  /** the newest result, which may come twice */
  result_id: string;
}

export const checkActivity = defineProjection({
  name: 'check_activity',
  version: 1,
  log: 'results',
  collections: {
    check_activity: collection<CheckActivityDocument>({ indexes: [], expires: { field: 'last_checked_at' } }),
  },
  documents: (event) => (event.data.check_id === undefined ? {} : { check_activity: [event.data.check_id] }),
  on: {
    CheckRunCompleted: ({ data, metadata }, { check_activity }) => {
      if (data.check_id === undefined || data.late === true) return;
      const known = check_activity.get(data.check_id);
      if (known && (data.slot < known.slot || data.result_id === known.result_id)) return;
      check_activity.put({
        id: data.check_id,
        organization_id: data.organization_id,
        last_checked_at: metadata.recorded_at,
        slot: data.slot,
        result_id: data.result_id,
      });
    },
  },
});
