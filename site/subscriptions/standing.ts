import { unconfirmedUntil } from '../../domain/subscriber/times.ts';
import type { Instant } from '../../domain/time.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';

/** How things stand with a subscription, seen from a link. */
export type Standing = 'confirm' | 'confirmed' | 'unsubscribe' | 'unsubscribed' | 'expired' | 'earlier';

type Subscription = Pick<SubscriberDocument, 'number' | 'status' | 'awaits_confirmation' | 'requested_at' | 'purge_at'>;

/**
 * Seen from a link to confirm.
 *
 * @param linked number of the subscription that the link was made for; an earlier one is void
 */
export const confirmStanding = (subscriber: Subscription, linked: number, now: Instant): Standing => {
  if (subscriber.number !== linked) return 'earlier';
  if (subscriber.status === 'unsubscribed') return 'expired';
  if (!subscriber.awaits_confirmation) return 'confirmed';
  const { requested_at } = subscriber;
  return requested_at === null || unconfirmedUntil(requested_at) <= now ? 'expired' : 'confirm';
};

/** Seen from a link to unsubscribe, which never expires. */
export const unsubscribeStanding = (subscriber: Subscription, linked: number): Standing => {
  if (subscriber.number !== linked) return 'earlier';
  return subscriber.status === 'unsubscribed' ? 'unsubscribed' : 'unsubscribe';
};
