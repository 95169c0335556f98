import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A period in which the status of a check stayed the same. */
export interface CheckStatusDocument {
  /** the check's id during the period; afterwards the id of the result that ended it */
  id: string;
  check_id: string;
  status: 'up' | 'down';
  started_at: Instant;
  /** null until it ends */
  ended_at: Instant | null;
  /** why it went down, a sentence; null: it is up, or the reason is unknown */
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
    // It began in the future: the clock was wrong.
    const started_at = lasting.started_at < at ? lasting.started_at : at;
    check_statuses.put({ ...lasting, id: result_id, started_at, ended_at: at });
  }
  check_statuses.put({ id: check_id, check_id, status, started_at: at, ended_at: null, cause });
};

/**
 * When checks were up and down, from their first result on. It is built from events of the checks, so it goes further
 * back than results.
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
