import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A period in which the status of a check stayed the same. */
export interface CheckStatusDocument {
  /** Id of the check while the period lasts. After that, id of the result that ended the period. */
  id: string;
  check_id: string;
  status: 'up' | 'down';
  started_at: Instant;
  /** null until the period ends */
  ended_at: Instant | null;
  /** Why the check went down, as a sentence. Null if the check was up, or the reason is unknown. */
  cause: string | null;
}

type StatusEvent = RecordedEventOf<'CheckCameUp' | 'CheckWentDown' | 'CheckRecovered'>;

const become = (
  { data: { check_id, result_id, at } }: StatusEvent,
  check_statuses: Model<CheckStatusDocument>,
  { status, cause }: Pick<CheckStatusDocument, 'status' | 'cause'>,
): void => {
  const lasting = check_statuses.get(check_id);
  if (lasting) {
    // If the clock was ahead when the period began, use the end as its start.
    const started_at = lasting.started_at < at ? lasting.started_at : at;
    check_statuses.put({ ...lasting, id: result_id, started_at, ended_at: at });
  }
  check_statuses.put({ id: check_id, check_id, status, started_at: at, ended_at: null, cause });
};

/**
 * The periods in which checks were up and down, from their first result on. The projection folds events of checks,
 * which are never removed, so it contains periods whose results were removed by the retention.
 */
export const checkStatusHistory = defineProjection({
  name: 'check_status_history',
  version: 3,
  log: 'main',
  collections: {
    check_statuses: collection<CheckStatusDocument>({ indexes: [{ check_id: 1, started_at: -1, ended_at: -1 }] }),
  },
  documents: ({ data: { check_id, result_id } }) => ({ check_statuses: [check_id, result_id] }),
  on: {
    CheckCameUp: (event, { check_statuses }) => {
      become(event, check_statuses, { status: 'up', cause: null });
    },
    CheckWentDown: (event, { check_statuses }) => {
      become(event, check_statuses, { status: 'down', cause: event.data.error_message });
    },
    CheckRecovered: (event, { check_statuses }) => {
      become(event, check_statuses, { status: 'up', cause: null });
    },
  },
});
