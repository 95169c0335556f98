import { derivedId } from '../identity.ts';
import { later, SECOND_MS, type Instant } from '../time.ts';
import { deliveryIdOf, DIGEST, type Cause, type DeliveryEvent } from './events.ts';
import { deliveryExpiryOf } from './schedule.ts';

/**
 * Maximum number of individual messages per receiver and minute. Further messages wait for a digest
 * (docs/reference/notifications.md#digests).
 */
export const MAX_PER_MINUTE = 20;
/** How long a digest collects messages after its first message. */
const COLLECTING_MS = 10 * SECOND_MS;
/**
 * Maximum number of messages in a digest. With this limit, the event of the digest and the documents that it changes
 * fit into every store.
 */
export const MAX_DIGEST_SIZE = 2_000;

/** The maximum time from the first message of a digest until the digest is sent. */
export const MAX_DIGEST_WAIT_MS = COLLECTING_MS;
/** Returns when a digest is sent. @param firstHeld when the first message of the digest was added */
export const digestDueAt = (firstHeld: Instant): Instant => later(firstHeld, COLLECTING_MS);

/** Deliveries to one receiver that wait for a digest, in the order in which they were planned. */
export interface WaitingDeliveries {
  organization_id: string;
  receiver_id: string;
  notifier: string;
  target: string;
  delivery_ids: readonly string[];
}

/**
 * Plans a digest: one message instead of several waiting ones. The id of the digest is derived from the first waiting
 * message, so that the digest is planned only once.
 */
export const digestDeliveries = ({ delivery_ids, ...of }: WaitingDeliveries, now: Instant): DeliveryEvent => {
  const cause: Cause = { kind: DIGEST, id: derivedId(`digest/${delivery_ids[0] ?? ''}`) };
  const delivery_id = deliveryIdOf(cause, of.receiver_id);
  const data = { ...of, delivery_id, cause, not_after: deliveryExpiryOf(now), delivery_ids: [...delivery_ids] };
  return { type: 'DeliveriesDigested', data };
};
