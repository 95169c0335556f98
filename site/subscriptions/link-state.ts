import { unconfirmedUntil } from '../../domain/subscriber/retention-periods.ts';
import type { Instant } from '../../domain/time.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';

/** The state of a subscription, as a link finds it. */
export type LinkState = 'confirm' | 'confirmed' | 'unsubscribe' | 'unsubscribed' | 'expired' | 'earlier';

type Subscription = Pick<SubscriberDocument, 'number' | 'status' | 'awaits_confirmation' | 'requested_at' | 'purge_at'>;

/**
 * Returns the state for a confirmation link.
 *
 * @param linked number of the subscription that the link was created for; links of earlier subscriptions are void
 */
export const confirmLinkState = (subscriber: Subscription, linked: number, now: Instant): LinkState => {
  if (subscriber.number !== linked) return 'earlier';
  if (subscriber.status === 'unsubscribed') return 'expired';
  if (!subscriber.awaits_confirmation) return 'confirmed';
  const { requested_at } = subscriber;
  return requested_at === null || unconfirmedUntil(requested_at) <= now ? 'expired' : 'confirm';
};

/** Returns the state for an unsubscribe link, which never expires. */
export const unsubscribeLinkState = (subscriber: Subscription, linked: number): LinkState => {
  if (subscriber.number !== linked) return 'earlier';
  return subscriber.status === 'unsubscribed' ? 'unsubscribed' : 'unsubscribe';
};
