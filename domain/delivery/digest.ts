import { derivedId } from '../identity.ts';
import { later, SECOND_MS, type Instant } from '../time.ts';
import { deliveryIdOf, DIGEST, type Cause, type DeliveryEvent } from './events.ts';
import { deliveryExpiryOf } from './schedule.ts';

/** Maximum of individual messages per receiver and minute; the others wait for a digest (docs/reference/notifications.md#digests). */
export const MAX_PER_MINUTE = 20;
/** How long a digest collects messages after the first one. */
const COLLECTING_MS = 10 * SECOND_MS;
/** Maximum of messages in a digest, so that its event and the changed documents fit into every store. */
export const MAX_DIGEST_SIZE = 2_000;

/** The maximum time until a digest is sent. */
export const MAX_DIGEST_WAIT_MS = COLLECTING_MS;
/** When the digest whose first message was held at an instant is sent. */
export const digestDueAt = (firstHeld: Instant): Instant => later(firstHeld, COLLECTING_MS);

/** Held deliveries to one receiver, in the order in which they were planned. */
export interface HeldDelivery {
  organization_id: string;
  receiver_id: string;
  notifier: string;
  target: string;
  delivery_ids: readonly string[];
}

/** Plans one message instead of held ones. Its id is derived from the first of them, so it is planned only once. */
export const digestDeliveries = ({ delivery_ids, ...of }: HeldDelivery, now: Instant): DeliveryEvent => {
  const cause: Cause = { kind: DIGEST, id: derivedId(`digest/${delivery_ids[0] ?? ''}`) };
  const delivery_id = deliveryIdOf(cause, of.receiver_id);
  const data = { ...of, delivery_id, cause, not_after: deliveryExpiryOf(now), delivery_ids: [...delivery_ids] };
  return { type: 'DeliveriesDigested', data };
};
