import { unconfirmedUntil } from '../../domain/subscriber/retention-periods.ts';
import type { Instant } from '../../domain/time.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';

/**
 * What a link in a message leads to. It depends on the state of the subscription. `earlier`: the link is for an earlier
 * subscription of the same address.
 */
export type LinkState = 'confirm' | 'confirmed' | 'unsubscribe' | 'unsubscribed' | 'expired' | 'earlier';

type Subscription = Pick<SubscriberDocument, 'number' | 'status' | 'awaits_confirmation' | 'requested_at' | 'purge_at'>;

/**
 * Returns what a confirmation link leads to.
 *
 * @param linked number of the subscription for which the link was created. Links for earlier subscriptions of the same
 * address are void
 */
export const confirmLinkState = (subscriber: Subscription, linked: number, now: Instant): LinkState => {
  if (subscriber.number !== linked) return 'earlier';
  if (subscriber.status === 'unsubscribed') return 'expired';
  if (!subscriber.awaits_confirmation) return 'confirmed';
  const { requested_at } = subscriber;
  return requested_at === null || unconfirmedUntil(requested_at) <= now ? 'expired' : 'confirm';
};

/** Returns what an unsubscribe link leads to. Such links never expire. */
export const unsubscribeLinkState = (subscriber: Subscription, linked: number): LinkState => {
  if (subscriber.number !== linked) return 'earlier';
  return subscriber.status === 'unsubscribed' ? 'unsubscribed' : 'unsubscribe';
};
