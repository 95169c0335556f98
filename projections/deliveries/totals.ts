import type { RecordedEventOf } from '../../domain/event-types.ts';
import { causeKey, type Cause } from '../../domain/delivery/events.ts';
import type { Delivery } from '../../domain/delivery/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { Model } from '../engine/fold/define.ts';

/**
 * The delivery totals of a cause: once all have ended, an item of the list of the reactor that records them
 * (reactors/mailings/totals.ts).
 */
export interface CauseTotalsDocument {
  /** the cause as one text */
  id: string;
  organization_id: string;
  cause: Cause;
  /** planning has finished */
  complete: boolean;
  planned: number;
  delivered: number;
  failed: number;
  begun_at: Instant;
  /** when the last delivery ended; null while any is open or may still be planned */
  ended_at: Instant | null;
  /** position of the event that ended it; 0 before */
  changed_position: number;
}

export interface TotalModels {
  cause_totals: Model<CauseTotalsDocument>;
}

type Planning = RecordedEventOf<'DeliveryPlanned' | 'DeliveriesPlanned'>;
type Changing = RecordedEventOf<'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryGivenUp' | 'DeliveryRetried'>;

/** @param count deliveries that the event has planned and that were not known */
export const totalPlanned = (event: Planning, count: number, models: TotalModels): void => {
  if (count > 0) total(event, models, ({ planned }) => ({ planned: planned + count }));
};

/** Records that planning has finished. */
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

/** Updates the totals of a cause; it has ended once all deliveries are planned and have ended. */
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

/** The count of deliveries with a status, after one of them changes from one status to another. */
const moved = (count: number, status: Delivery['status'], before: Delivery, after: Delivery): number =>
  count + Number(after.status === status) - Number(before.status === status);
