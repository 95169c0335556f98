import type { RecordedEventOf } from '../../domain/event-types.ts';
import { digestDueAt } from '../../domain/delivery/digest.ts';
import { DIGEST, type DeliveriesPlanned } from '../../domain/delivery/events.ts';
import { changedWithDigest, plannedDigest, seriesKeyOf, type Delivery } from '../../domain/delivery/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { Model } from '../engine/fold/define.ts';

/** A delivery that waits for a digest. It waits until the digest exists, and then until the digest has ended. */
export interface WaitingDeliveryDocument extends Pick<
  Delivery,
  'id' | 'organization_id' | 'cause' | 'receiver_id' | 'planned_position'
> {
  series_key: string | null;
  /** the delivery of the digest; null until the digest exists */
  digest_id: string | null;
  created_at: Instant;
}

/** A receiver with deliveries that wait for a digest: an item of the list of the reactor that creates digests. */
export interface DueDigestDocument extends Pick<Delivery, 'organization_id' | 'receiver_id' | 'notifier' | 'target'> {
  /** Id of the receiver. */
  id: string;
  due_at: Instant;
  /** Number of waiting deliveries. */
  held: number;
  created_at: Instant;
  changed_position: number;
}

/** The members of a digest. */
export interface DigestDocument {
  /** Id of the digest's delivery. */
  id: string;
  delivery_ids: readonly string[];
  created_at: Instant;
}

export interface DigestModels {
  deliveries: Model<Delivery>;
  held_deliveries: Model<WaitingDeliveryDocument>;
  due_digests: Model<DueDigestDocument>;
  digests: Model<DigestDocument>;
}

type Planned = RecordedEventOf<'DeliveriesPlanned' | 'DeliveryPlanned'>;
type Digested = RecordedEventOf<'DeliveriesDigested'>;
type Changing = RecordedEventOf<'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryGivenUp' | 'DeliveryRetried'>;

/** Returns the receivers for whom an event plans deliveries that wait for a digest. */
export const receiversOfDigests = ({ deliveries }: Pick<DeliveriesPlanned, 'deliveries'>): string[] =>
  deliveries.filter(({ held }) => held).map(({ receiver_id }) => receiver_id);

/** Makes a delivery wait for a digest. */
export const holdForDigest = (delivery: Delivery, { metadata, position }: Planned, models: DigestModels): void => {
  const { id, organization_id, cause, receiver_id, planned_position, notifier, target, created_at } = delivery;
  const series_key = seriesKeyOf(delivery);
  const whose = { organization_id, receiver_id };
  models.held_deliveries.put({ id, ...whose, cause, planned_position, series_key, digest_id: null, created_at });
  const due = models.due_digests.get(receiver_id);
  if (due) {
    models.due_digests.put({ ...due, held: due.held + 1 });
    return;
  }
  const due_at = digestDueAt(metadata.recorded_at);
  const item = { id: receiver_id, ...whose, notifier, target, due_at, held: 1, created_at };
  models.due_digests.put({ ...item, changed_position: Number(position) });
};

/** Creates the delivery of a digest from its members. @returns the delivery, or null if the digest exists already */
export const createDigest = ({ data, metadata, position }: Digested, models: DigestModels): Delivery | null => {
  if (models.deliveries.get(data.delivery_id)) return null;
  const at = metadata.recorded_at;
  const delivery = plannedDigest(data, { at, position: Number(position) });
  models.deliveries.put(delivery);
  const members = data.delivery_ids.flatMap((id) => models.held_deliveries.get(id) ?? []);
  for (const member of members) models.held_deliveries.put({ ...member, digest_id: data.delivery_id });
  models.digests.put({ id: data.delivery_id, delivery_ids: data.delivery_ids, created_at: at });
  const due = models.due_digests.get(data.receiver_id);
  if (due && due.held > members.length) {
    const stillHeld = due.held - members.length;
    models.due_digests.put({ ...due, held: stillHeld, due_at: at, changed_position: Number(position) });
  } else {
    models.due_digests.delete(data.receiver_id);
  }
  return delivery;
};

/** Returns the ids of the member deliveries that change together with a digest. */
export const membersOf = (
  { data }: Changing,
  { digests }: { digests: Pick<DigestModels['digests'], 'get'> },
): readonly string[] => (data.cause.kind === DIGEST ? (digests.get(data.delivery_id)?.delivery_ids ?? []) : []);

/** Ends the members of a digest with the same outcome as the digest. */
export const changeMembers = (event: Changing, models: Omit<DigestModels, 'due_digests'>): void => {
  for (const id of membersOf(event, models)) {
    const member = models.deliveries.get(id);
    if (!member) continue;
    const after = changedWithDigest(member, event);
    models.deliveries.put(after);
    if (after.status !== 'planned') models.held_deliveries.delete(id);
  }
};
