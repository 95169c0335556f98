import type { RecordedEventOf } from '../../domain/catalogue.ts';
import { causeKey, type Cause } from '../../domain/delivery/events.ts';
import { changedDelivery, plannedDeliveries, plannedDelivery, type Delivery } from '../../domain/delivery/state.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

export type DeliveryDocument = Delivery;

/** A delivery that has not ended: an item of the to-do list of the reactor that delivers (reactors/delivery/deliver.ts). */
export interface DueDeliveryDocument extends Pick<
  Delivery,
  | 'id'
  | 'organization_id'
  | 'cause'
  | 'series'
  | 'priority'
  | 'receiver_id'
  | 'notifier'
  | 'target'
  | 'attempt_count'
  | 'tries'
  | 'not_after'
  | 'planned_position'
> {
  /** the same for all messages of a series to a receiver; null: it stands alone */
  series_key: string | null;

  due_at: Instant;
  created_at: Instant;
  /** position of the event that put it on the list, or last changed when it is due */
  changed_position: number;
}

/** How far the deliveries of a cause have been planned. */
export interface FanOutDocument {
  /** the cause as one text */
  id: string;
  organization_id: string;
  cause: Cause;
  begun_at: Instant;
  /** pages so far */
  page: number;
  /** the last receiver that was planned for; null if there was none */
  after: string | null;
  planned: number;
  complete: boolean;
}

const dueDelivery = (delivery: Delivery, due_at: Instant, position: bigint): DueDeliveryDocument => {
  const { id, organization_id, cause, series, priority, receiver_id, notifier, target } = delivery;
  const { attempt_count, tries, not_after, planned_position, created_at } = delivery;
  const series_key = series === null ? null : `${series}/${receiver_id}`;
  const what = { id, organization_id, cause, series, priority, receiver_id, series_key, planned_position };
  const how = { notifier, target, attempt_count, tries, not_after };
  return { ...what, ...how, due_at, created_at, changed_position: Number(position) };
};

interface Models {
  deliveries: Model<DeliveryDocument>;
  due_deliveries: Model<DueDeliveryDocument>;
}

type Changing = 'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryGivenUp' | 'DeliveryRetried';

const changed = (event: RecordedEventOf<Changing>, { deliveries, due_deliveries }: Models): void => {
  const known = deliveries.get(event.data.delivery_id);
  // Its planning may be older than what retention keeps.
  if (!known) return;
  const after = changedDelivery(known, event);
  if (after === known) return;
  deliveries.put(after);
  if (after.due_at === null) due_deliveries.delete(after.id);
  else due_deliveries.put(dueDelivery(after, after.due_at, event.position));
};

type Planning = RecordedEventOf<'DeliveryPlanned' | 'DeliveriesPlanned'>;

const plannedBy = ({ metadata, position }: Planning) => ({ at: metadata.recorded_at, position: Number(position) });

const plan = (
  planned: readonly Delivery[],
  { metadata, position }: Planning,
  { deliveries, due_deliveries }: Models,
): void => {
  for (const delivery of planned) {
    if (deliveries.get(delivery.id)) continue;
    deliveries.put(delivery);
    due_deliveries.put(dueDelivery(delivery, metadata.recorded_at, position));
  }
};

/** What is to be delivered to whom, what became of it, and how far causes have been planned. */
export const deliveries = defineProjection({
  name: 'deliveries',
  version: 2,
  log: 'results',
  collections: {
    deliveries: collection<DeliveryDocument>({
      indexes: [
        { cause_key: 1, created_at: -1 },
        { receiver_id: 1, created_at: -1 },
        { page_id: 1, created_at: -1 },
        { status: 1, updated_at: -1 },
        { status: 1 },
      ],
      expires: { field: 'created_at' },
    }),
    // Not by when it is due: a rebuild does not know what was planned before the retention.
    due_deliveries: collection<DueDeliveryDocument>({
      indexes: [
        { due_at: 1 },
        { changed_position: 1 },
        { target: 1, notifier: 1, organization_id: 1, priority: 1, due_at: 1 },
        { series_key: 1 },
        { organization_id: 1, attempt_count: 1, target: 1 },
      ],
      expires: { field: 'created_at' },
    }),
    fan_outs: collection<FanOutDocument>({ indexes: [], expires: { field: 'begun_at' } }),
  },
  documents: (event) => {
    if (event.type === 'FanOutAdvanced') return { fan_outs: [causeKey(event.data.cause)] };
    const ids =
      event.type === 'DeliveriesPlanned'
        ? event.data.deliveries.map(({ delivery_id }) => delivery_id)
        : [event.data.delivery_id];
    return { deliveries: ids, due_deliveries: ids };
  },
  on: {
    DeliveryPlanned: (event, models) => {
      plan([plannedDelivery(event.data, plannedBy(event))], event, models);
    },
    DeliveriesPlanned: (event, models) => {
      plan(plannedDeliveries(event.data, plannedBy(event)), event, models);
    },
    DeliverySucceeded: changed,
    DeliveryAttemptFailed: changed,
    DeliveryGivenUp: changed,
    DeliveryRetried: changed,
    FanOutAdvanced: ({ data }, { fan_outs }) => {
      const id = causeKey(data.cause);
      const known = fan_outs.get(id);
      if (known && known.page >= data.page) return;
      const { organization_id, cause, begun_at, page, after, planned, complete } = data;
      fan_outs.put({ id, organization_id, cause, begun_at, page, after, planned, complete });
    },
  },
});
