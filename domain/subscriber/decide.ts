import { changedFields } from '../changes.ts';
import { IllegalState } from '../errors.ts';
import { isExisting, notFound } from '../existence.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { EventOf } from '../event-types.ts';
import type { PurgeReason, SubscriberEvent } from './events.ts';
import { existing, type KnownSubscriber, type Subscriber } from './state.ts';
import { formerSecretUntil, quarantinedUntil } from './retention-periods.ts';

const which = ({ id, page_id, number }: Pick<KnownSubscriber, 'id' | 'page_id' | 'number'>) => ({
  subscriber_id: id,
  page_id,
  number,
});

/**
 * Requires a subscription that its receiver has not ended.
 *
 * @throws NotFound
 * @throws IllegalState the receiver has ended the subscription
 */
const wanted = (subscriber: Subscriber): KnownSubscriber => {
  const known = existing(subscriber);
  if (known.status === 'unsubscribed') throw new IllegalState('The receiver has ended this subscription.');
  return known;
};

/** Returns the current subscription if it has this number and its receiver has not ended it; otherwise null. */
const sameAs = (subscriber: Subscriber, number: number): KnownSubscriber | null =>
  isExisting(subscriber) && subscriber.number === number && subscriber.status !== 'unsubscribed' ? subscriber : null;

export interface SubscriberChanges {
  component_ids?: readonly string[] | null | undefined;
  deliver_notifications?: boolean | undefined;
  /**
   * Default: false, so that an input with `deliver_notifications: true` ends the quarantine of a subscription. If true,
   * such an input does not end the quarantine of a subscription whose delivery was already enabled.
   */
  keepsQuarantine?: boolean;
}

/**
 * Changes a subscription. Enabling the delivery of a quarantined subscription ends the quarantine.
 *
 * @throws NotFound
 * @throws IllegalState the receiver has ended the subscription
 */
export const changeSubscriber = (
  subscriber: Subscriber,
  { component_ids, deliver_notifications, keepsQuarantine = false }: SubscriberChanges,
  now: Instant,
): SubscriberEvent[] => {
  const known = wanted(subscriber);
  const { component_ids: present, deliver_notifications: delivers } = known;
  const ids = component_ids === undefined ? undefined : component_ids && [...component_ids];
  const changed = changedFields(
    { component_ids: present, deliver_notifications: delivers },
    { component_ids: ids, deliver_notifications },
  );
  return [
    ...(changed
      ? [{ type: 'SubscriberChanged' as const, data: { ...which(known), ...changed, changed_at: now } }]
      : []),
    ...(known.status === 'quarantined' && deliver_notifications === true && !(delivers && keepsQuarantine)
      ? [released(known, now)]
      : []),
  ];
};

const released = (known: KnownSubscriber, now: Instant): EventOf<'SubscriberReleased'> => ({
  type: 'SubscriberReleased',
  data: { ...which(known), released_at: now },
});

/**
 * Confirms a subscription, after the receiver opened a link and pressed the button, or after a webhook repeated a
 * challenge. Returns no event if the subscription is already confirmed.
 *
 * @throws NotFound the subscription has ended, or the address has a newer subscription
 */
export const verifySubscriber = (subscriber: Subscriber, number: number, now: Instant): SubscriberEvent[] => {
  const known = sameAs(subscriber, number);
  if (!known) throw notFound('subscriber');
  if (known.status === 'active' && known.wanted === null) return [];
  const { component_ids, incident_id } = known.wanted ?? known;
  return [{ type: 'SubscriberVerified', data: { ...which(known), component_ids, incident_id, verified_at: now } }];
};

/**
 * Ends a subscription at the request of its receiver. The subscription does not need to be confirmed. Returns no event
 * if the subscription has already ended.
 *
 * @throws NotFound the address has a newer subscription, or never had a subscription
 */
export const unsubscribe = (subscriber: Subscriber, number: number, now: Instant): SubscriberEvent[] => {
  if (subscriber.status === 'absent' || subscriber.number !== number) throw notFound('subscriber');
  if (subscriber.status === 'deleted' || subscriber.status === 'unsubscribed') return [];
  return [{ type: 'SubscriberUnsubscribed', data: { ...which(subscriber), unsubscribed_at: now } }];
};

/**
 * Removes a subscription, and requests the deletion of the key that seals its address. The receiver might already have
 * ended the subscription.
 *
 * @throws NotFound
 */
export const deleteSubscriber = (subscriber: Subscriber, now: Instant): EventOf<'SubscriberDeleted'> => {
  const known = existing(subscriber);
  return { type: 'SubscriberDeleted', data: { ...which(known), keys_from: known.keys_from, deleted_at: now } };
};

/**
 * Puts a subscription into quarantine, because its address can't be reached. Returns no event if the subscription is
 * not active.
 */
export const quarantineSubscriber = (
  subscriber: Subscriber,
  number: number,
  reason: string,
  now: Instant,
): SubscriberEvent[] => {
  const known = sameAs(subscriber, number);
  if (known?.status !== 'active') return [];
  const data = { ...which(known), reason, quarantined_at: now, purge_at: quarantinedUntil(now) };
  return [{ type: 'SubscriberQuarantined', data }];
};

/**
 * Ends the quarantine of a subscription.
 *
 * @throws NotFound
 * @throws IllegalState the subscription is not in quarantine, or the receiver has ended it
 */
export const releaseSubscriber = (subscriber: Subscriber, now: Instant): SubscriberEvent[] => {
  const known = wanted(subscriber);
  if (known.status !== 'quarantined') throw new IllegalState('The subscriber is not in quarantine.');
  return [released(known, now)];
};

/**
 * Removes an expired subscription, and requests the deletion of the key that seals its address. Returns no event if the
 * address has a newer subscription, or if the reason for the removal no longer applies because the subscription was
 * confirmed or released.
 */
export const purgeSubscriber = (
  subscriber: Subscriber,
  number: number,
  reason: PurgeReason,
  now: Instant,
): SubscriberEvent[] => {
  if (!isExisting(subscriber) || subscriber.number !== number) return [];
  if (reason === 'unconfirmed' && subscriber.status !== 'pending') return [];
  if (reason === 'quarantined' && subscriber.status !== 'quarantined') return [];
  if (reason === 'incident_ended' && subscriber.incident_id === null) return [];
  const data = { ...which(subscriber), keys_from: subscriber.keys_from, reason, purged_at: now };
  return [{ type: 'SubscriberPurged', data }];
};

/**
 * Replaces the secret of a webhook. For a day, messages are signed with both the new and the previous secret.
 *
 * @throws NotFound
 * @throws IllegalState the subscriber is not a webhook, or the receiver has ended the subscription
 */
export const rotateSecret = (subscriber: Subscriber, secret: Sealed, now: Instant): SubscriberEvent => {
  const known = wanted(subscriber);
  if (known.mode !== 'webhook') throw new IllegalState('Only subscribers of mode webhook have a secret.');
  const data = { ...which(known), secret, former_until: formerSecretUntil(now), rotated_at: now };
  return { type: 'SubscriberSecretRotated', data };
};

/** Returns the subscription if it belongs to a webhook that still needs a challenge; otherwise null. */
export const subscriptionToChallenge = (subscriber: Subscriber, number: number): KnownSubscriber | null => {
  const known = sameAs(subscriber, number);
  return known?.mode === 'webhook' && (known.status !== 'active' || known.wanted !== null) ? known : null;
};

/** Records a failed challenge of a webhook. Returns no event if the webhook no longer needs a challenge. */
export const recordFailedChallenge = (
  subscriber: Subscriber,
  number: number,
  reason: string,
  now: Instant,
): SubscriberEvent[] => {
  const known = subscriptionToChallenge(subscriber, number);
  if (!known) return [];
  const data = { ...which(known), attempt: known.failed_challenges + 1, reason, failed_at: now };
  return [{ type: 'SubscriberChallengeFailed', data }];
};
