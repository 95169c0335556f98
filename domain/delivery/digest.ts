import { derivedId } from '../identity.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import { deliveryIdOf, DIGEST, type Cause, type DeliveryEvent } from './events.ts';
import { notAfter } from './schedule.ts';

/** So many messages a receiver gets one by one in a minute; the others wait for a digest (decisions.md: Alerts). */
export const MOST_IN_A_MINUTE = 20;
export const MINUTE_MS = 60_000;

/** How long a digest waits for more after the first that it stands for. */
const GATHERS_MS = 10_000;

/** No digest stands for more: its event, and what it changes, have a size that every store takes. */
export const MOST_IN_A_DIGEST = 2_000;

/** The longest that a digest is ahead. */
export const LONGEST_GATHERING_MS = GATHERS_MS;

/** When the digest is made of what was first held at an instant. */
export const digestDueAt = (firstHeld: Instant): Instant => instantOf(millisecondsOf(firstHeld) + GATHERS_MS);

/** Deliveries to one receiver that were held, in the order in which they were planned. */
export interface Held {
  organization_id: string;
  receiver_id: string;
  notifier: string;
  target: string;
  delivery_ids: readonly string[];
}

/** One message instead of those that were held. Its id follows from the first of them, so it is made once. */
export const digestDeliveries = ({ delivery_ids, ...of }: Held, now: Instant): DeliveryEvent => {
  const cause: Cause = { kind: DIGEST, id: derivedId(`digest/${delivery_ids[0] ?? ''}`) };
  const delivery_id = deliveryIdOf(cause, of.receiver_id);
  const data = { ...of, delivery_id, cause, not_after: notAfter(now), delivery_ids: [...delivery_ids] };
  return { type: 'DeliveriesDigested', data };
};
