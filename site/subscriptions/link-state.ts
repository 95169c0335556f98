import { unconfirmedUntil } from '../../domain/subscriber/retention-periods.ts';
import type { Instant } from '../../domain/time.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';

/**
 * What the page behind a link in a message shows, depending on the state of the subscription. For example, `confirm` is
 * the form for confirming the subscription. `earlier`: the link is for an earlier subscription of the same address.
 */
export type LinkState = 'confirm' | 'confirmed' | 'unsubscribe' | 'unsubscribed' | 'expired' | 'earlier';

type Subscription = Pick<SubscriberDocument, 'number' | 'status' | 'awaits_confirmation' | 'requested_at' | 'purge_at'>;

/**
 * Returns what the page behind a confirmation link shows.
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

/** Returns what the page behind an unsubscribe link shows. Unsubscribe links never expire. */
export const unsubscribeLinkState = (subscriber: Subscription, linked: number): LinkState => {
  if (subscriber.number !== linked) return 'earlier';
  return subscriber.status === 'unsubscribed' ? 'unsubscribed' : 'unsubscribe';
};
