import type { RecordedEventOf } from '../../domain/event-types.ts';
import { causeKey, DIGEST, type Cause } from '../../domain/delivery/events.ts';
import {
  changedDelivery,
  plannedDeliveries,
  plannedDelivery,
  seriesKeyOf,
  type Delivery,
} from '../../domain/delivery/state.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import { channelOf, recordChannelUse, type ChannelUseDocument, type ChannelUseModels } from './channel-uses.ts';
import {
  changeMembers,
  createDigest,
  holdForDigest,
  membersOf,
  receiversOfDigests,
  type DigestDocument,
  type DigestModels,
  type DueDigestDocument,
  type WaitingDeliveryDocument,
} from './digests.ts';
import { failedDelivery, type FailedDeliveryDocument } from './failed.ts';
import { totalChanged, totalComplete, totalPlanned, type CauseTotalsDocument, type TotalModels } from './totals.ts';

export type DeliveryDocument = Delivery;

/**
 * A delivery that has not ended: an item of the to-do list of the `delivery` reactor (reactors/delivery/deliver.ts).
 */
export interface DueDeliveryDocument extends Pick<
  Delivery,
  | 'id'
  | 'organization_id'
  | 'cause'
  | 'series'
  | 'in_order'
  | 'priority'
  | 'receiver_id'
  | 'notifier'
  | 'target'
  | 'attempt_count'
  | 'tries'
  | 'not_after'
  | 'planned_position'
> {
  /** Key that all messages of a series to a receiver share. Null if the message belongs to no series. */
  series_key: string | null;

  due_at: Instant;
  created_at: Instant;
  /** position of the event that put the delivery on the list or changed its due time */
  changed_position: number;
}

/** The planning progress of a cause. */
export interface FanOutDocument {
  /** The cause as a text. */
  id: string;
  organization_id: string;
  cause: Cause;
  begun_at: Instant;
  /** Number of pages of receivers that were planned. */
  page: number;
  /** The most recently planned receiver. Null if there is none. */
  after: string | null;
  planned: number;
  complete: boolean;
}

const dueDelivery = (delivery: Delivery, due_at: Instant, position: bigint): DueDeliveryDocument => {
  const { id, organization_id, cause, series, in_order, priority, receiver_id, notifier, target } = delivery;
  const { attempt_count, tries, not_after, planned_position, created_at } = delivery;
  const series_key = seriesKeyOf(delivery);
  const what = { id, organization_id, cause, series, in_order, priority, receiver_id, series_key, planned_position };
  const how = { notifier, target, attempt_count, tries, not_after };
  return { ...what, ...how, due_at, created_at, changed_position: Number(position) };
};

interface Models extends DigestModels, TotalModels, ChannelUseModels {
  deliveries: Model<DeliveryDocument>;
  due_deliveries: Model<DueDeliveryDocument>;
  failed_deliveries: Model<FailedDeliveryDocument>;
}

type ChangingModels = Omit<Models, 'due_digests'>;

type Changing = 'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryGivenUp' | 'DeliveryRetried';

const changed = (event: RecordedEventOf<Changing>, models: ChangingModels): void => {
  const { deliveries, due_deliveries, failed_deliveries } = models;
  const known = deliveries.get(event.data.delivery_id);
  // The delivery is unknown if the retention has removed the event that planned it.
  if (!known) return;
  const after = changedDelivery(known, event);
  if (after === known) return;
  deliveries.put(after);
  changeMembers(event, models);
  if (after.due_at === null) due_deliveries.delete(after.id);
  else due_deliveries.put(dueDelivery(after, after.due_at, event.position));
  if (after.attempt_count !== known.attempt_count) {
    if (after.status === 'delivered') failed_deliveries.delete(after.id);
    else failed_deliveries.put(failedDelivery(after, event.position));
  }
  if (event.type !== 'DeliveryRetried' && event.data.attempt)
    recordChannelUse(after, event.data.attempt.begun_at, models);
  if (after.status === known.status) return;
  totalChanged(event, known, after, models);
};

type Planning = RecordedEventOf<'DeliveryPlanned' | 'DeliveriesPlanned'>;

const plannedBy = ({ metadata, position }: Planning) => ({ at: metadata.recorded_at, position: Number(position) });

const plan = (all: readonly Delivery[], event: Planning, models: Models): void => {
  const { metadata, position } = event;
  const receiversWithHolds = new Set(event.type === 'DeliveriesPlanned' ? receiversOfDigests(event.data) : []);
  const planned = all.filter(({ id }) => !models.deliveries.get(id));
  for (const delivery of planned) {
    models.deliveries.put(delivery);
    if (receiversWithHolds.has(delivery.receiver_id)) holdForDigest(delivery, event, models);
    else models.due_deliveries.put(dueDelivery(delivery, metadata.recorded_at, position));
  }
  totalPlanned(event, planned.length, models);
};

/** Returns further ids that an event changes: the members of a digest, and the channel that was used. */
const furtherOf = (
  event: RecordedEventOf<Changing>,
  models: { digests: Pick<Model<DigestDocument>, 'get'>; deliveries: Pick<Model<DeliveryDocument>, 'get'> },
): Partial<Record<'deliveries' | 'held_deliveries' | 'channel_uses', readonly string[]>> => {
  const ids = membersOf(event, models);
  const delivery = models.deliveries.get(event.data.delivery_id);
  const channel = delivery ? channelOf(delivery) : null;
  return {
    ...(ids.length > 0 && { deliveries: ids, held_deliveries: ids }),
    ...(channel !== null && { channel_uses: [channel] }),
  };
};

/** Deliveries, their outcomes, and the planning progress of causes. */
export const deliveries = defineProjection({
  name: 'deliveries',
  version: 5,
  log: 'results',
  collections: {
    deliveries: collection<DeliveryDocument>({
      indexes: [
        { cause_key: 1, created_at: -1 },
        { receiver_id: 1, created_at: -1 },
        { page_id: 1, created_at: -1 },
        { page_id: 1, status: 1, created_at: -1 },
        { incident_id: 1, created_at: -1 },
        { status: 1, updated_at: -1 },
        { status: 1 },
      ],
      expires: { field: 'created_at' },
    }),
    // Documents expire by creation time, not by due time. A rebuild does not see deliveries that were planned before
    // the retention period, so documents of such deliveries must expire, too.
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
    failed_deliveries: collection<FailedDeliveryDocument>({
      indexes: [{ changed_position: 1 }],
      expires: { field: 'created_at' },
    }),
    held_deliveries: collection<WaitingDeliveryDocument>({
      indexes: [{ receiver_id: 1, digest_id: 1, planned_position: 1 }, { series_key: 1 }],
      expires: { field: 'created_at' },
    }),
    due_digests: collection<DueDigestDocument>({
      indexes: [{ due_at: 1 }, { changed_position: 1 }],
      expires: { field: 'created_at' },
    }),
    digests: collection<DigestDocument>({ indexes: [], expires: { field: 'created_at' } }),
    fan_outs: collection<FanOutDocument>({ indexes: [], expires: { field: 'begun_at' } }),
    channel_uses: collection<ChannelUseDocument>({ indexes: [], expires: { field: 'used_at' } }),
    cause_totals: collection<CauseTotalsDocument>({
      indexes: [{ changed_position: 1 }],
      expires: { field: 'begun_at' },
    }),
  },
  documents: (event) => {
    const causes = [causeKey(event.data.cause)];
    switch (event.type) {
      case 'FanOutAdvanced':
        return { fan_outs: causes, cause_totals: causes };
      case 'DeliveriesPlanned': {
        const ids = event.data.deliveries.map(({ delivery_id }) => delivery_id);
        return {
          deliveries: ids,
          due_deliveries: ids,
          cause_totals: causes,
          due_digests: receiversOfDigests(event.data),
        };
      }
      case 'DeliveriesDigested': {
        const { delivery_id, receiver_id, delivery_ids } = event.data;
        return { deliveries: [delivery_id], held_deliveries: delivery_ids, due_digests: [receiver_id] };
      }
      default: {
        const ids = [event.data.delivery_id];
        const isOutcome = event.type !== 'DeliveryPlanned' && event.type !== 'DeliveryRetried';
        return {
          deliveries: ids,
          due_deliveries: ids,
          cause_totals: causes,
          ...(isOutcome && { failed_deliveries: ids }),
          ...(event.data.cause.kind === DIGEST && { digests: ids }),
        };
      }
    }
  },
  further: {
    DeliverySucceeded: furtherOf,
    DeliveryAttemptFailed: furtherOf,
    DeliveryGivenUp: furtherOf,
    DeliveryRetried: furtherOf,
  },
  on: {
    DeliveryPlanned: (event, models) => {
      plan([plannedDelivery(event.data, plannedBy(event))], event, models);
    },
    DeliveriesPlanned: (event, models) => {
      plan(plannedDeliveries(event.data, plannedBy(event)), event, models);
    },
    DeliveriesDigested: (event, models) => {
      const delivery = createDigest(event, models);
      if (!delivery) return;
      models.due_deliveries.put(dueDelivery(delivery, delivery.created_at, event.position));
    },
    DeliverySucceeded: changed,
    DeliveryAttemptFailed: changed,
    DeliveryGivenUp: changed,
    DeliveryRetried: changed,
    FanOutAdvanced: (event, models) => {
      const { organization_id, cause, begun_at, page, after, planned, complete } = event.data;
      const id = causeKey(cause);
      const known = models.fan_outs.get(id);
      if (known && known.page >= page) return;
      if (complete) totalComplete(event, models);
      models.fan_outs.put({ id, organization_id, cause, begun_at, page, after, planned, complete });
    },
  },
});
