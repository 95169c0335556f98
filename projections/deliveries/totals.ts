import type { RecordedEventOf } from '../../domain/event-types.ts';
import { causeKey, type Cause } from '../../domain/delivery/events.ts';
import type { Delivery } from '../../domain/delivery/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { Model } from '../engine/fold/define.ts';

/**
 * The delivery totals of a cause. When all deliveries have ended, the document becomes an item of the to-do list of the
 * reactor that records the totals (reactors/mailings/totals.ts).
 */
export interface CauseTotalsDocument {
  /** The cause as a text. */
  id: string;
  organization_id: string;
  cause: Cause;
  /** Whether all deliveries were planned. */
  complete: boolean;
  planned: number;
  delivered: number;
  failed: number;
  begun_at: Instant;
  /** End of the final delivery. Null if a delivery has not ended, or more can be planned. */
  ended_at: Instant | null;
  /** Position of the event that ended the final delivery. 0 before that. */
  changed_position: number;
}

export interface TotalModels {
  cause_totals: Model<CauseTotalsDocument>;
}

type Planning = RecordedEventOf<'DeliveryPlanned' | 'DeliveriesPlanned'>;
type Changing = RecordedEventOf<'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryGivenUp' | 'DeliveryRetried'>;

/**
 * Records planned deliveries.
 *
 * @param count number of deliveries that the event has planned and that were not known before
 */
export const totalPlanned = (event: Planning, count: number, models: TotalModels): void => {
  if (count > 0) total(event, models, ({ planned }) => ({ planned: planned + count }));
};

/** Records that all deliveries were planned. */
export const totalComplete = (event: RecordedEventOf<'FanOutAdvanced'>, models: TotalModels): void => {
  total(event, models, () => ({ complete: true }));
};

/** Records the change of a delivery's status. */
export const totalChanged = (event: Changing, before: Delivery, after: Delivery, models: TotalModels): void => {
  total(event, models, ({ delivered, failed }) => ({
    delivered: moved(delivered, 'delivered', before, after),
    failed: moved(failed, 'given_up', before, after),
  }));
};

/** Updates the totals of a cause. The cause has ended when all deliveries were planned and have ended. */
const total = (
  {
    data: { cause, organization_id },
    metadata: { recorded_at: at },
    position,
  }: Planning | Changing | RecordedEventOf<'FanOutAdvanced'>,
  { cause_totals }: TotalModels,
  change: (known: CauseTotalsDocument) => Partial<CauseTotalsDocument>,
): void => {
  const id = causeKey(cause);
  const known: CauseTotalsDocument = cause_totals.get(id) ?? {
    id,
    organization_id,
    cause,
    complete: false,
    planned: 0,
    delivered: 0,
    failed: 0,
    begun_at: at,
    ended_at: null,
    changed_position: 0,
  };
  const totals = { ...known, ...change(known) };
  const ended = totals.complete && totals.delivered + totals.failed === totals.planned;
  cause_totals.put({ ...totals, ended_at: ended ? at : null, changed_position: ended ? Number(position) : 0 });
};

/** Updates the number of deliveries with a status, after one delivery has changed its status. */
const moved = (count: number, status: Delivery['status'], before: Delivery, after: Delivery): number =>
  count + Number(after.status === status) - Number(before.status === status);
