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

/** Requires a subscription that its receiver has not ended. @throws NotFound @throws IllegalState */
const wanted = (subscriber: Subscriber): KnownSubscriber => {
  const known = existing(subscriber);
  if (known.status === 'unsubscribed') throw new IllegalState('The receiver has ended this subscription.');
  return known;
};

/** The current subscription, if it has this number and was not ended by its receiver; otherwise null. */
const sameAs = (subscriber: Subscriber, number: number): KnownSubscriber | null =>
  isExisting(subscriber) && subscriber.number === number && subscriber.status !== 'unsubscribed' ? subscriber : null;

export interface SubscriberChanges {
  component_ids?: readonly string[] | null | undefined;
  deliver_notifications?: boolean | undefined;
  /** whether a quarantined subscription with enabled delivery remains in quarantine; default: enabling releases it */
  keepsQuarantine?: boolean;
}

/**
 * Changes a subscription. Enabling the delivery of a quarantined one ends its quarantine.
 *
 * @throws NotFound
 * @throws IllegalState its receiver has ended it
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
 * Confirms a subscription: the receiver pressed the button behind a link, or a webhook repeated a challenge. Does nothing
 * if it is already confirmed.
 *
 * @throws NotFound the subscription has ended, or the address has a newer one
 */
export const verifySubscriber = (subscriber: Subscriber, number: number, now: Instant): SubscriberEvent[] => {
  const known = sameAs(subscriber, number);
  if (!known) throw notFound('subscriber');
  if (known.status === 'active' && known.wanted === null) return [];
  const { component_ids, incident_id } = known.wanted ?? known;
  return [{ type: 'SubscriberVerified', data: { ...which(known), component_ids, incident_id, verified_at: now } }];
};

/**
 * Ends a subscription, confirmed or not, for the receiver. Does nothing if it has already ended.
 *
 * @throws NotFound the address has a newer subscription, or never had one
 */
export const unsubscribe = (subscriber: Subscriber, number: number, now: Instant): SubscriberEvent[] => {
  if (subscriber.status === 'absent' || subscriber.number !== number) throw notFound('subscriber');
  if (subscriber.status === 'deleted' || subscriber.status === 'unsubscribed') return [];
  return [{ type: 'SubscriberUnsubscribed', data: { ...which(subscriber), unsubscribed_at: now } }];
};

/** Removes a subscription and the key of its address, even if its receiver has ended it. @throws NotFound */
export const deleteSubscriber = (subscriber: Subscriber, now: Instant): EventOf<'SubscriberDeleted'> => {
  const known = existing(subscriber);
  return { type: 'SubscriberDeleted', data: { ...which(known), keys_from: known.keys_from, deleted_at: now } };
};

/** Puts an unreachable subscription into quarantine. Does nothing if it is not active. */
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

/** Ends a quarantine. @throws NotFound @throws IllegalState it is not in quarantine, or its receiver has ended it */
export const releaseSubscriber = (subscriber: Subscriber, now: Instant): SubscriberEvent[] => {
  const known = wanted(subscriber);
  if (known.status !== 'quarantined') throw new IllegalState('The subscriber is not in quarantine.');
  return [released(known, now)];
};

/**
 * Removes an expired subscription and the key of its address. Does nothing if the address has a newer subscription, or if
 * the reason no longer applies, since it was confirmed or released.
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
 * Replaces the secret of a webhook. Messages are signed with both secrets for a day.
 *
 * @throws NotFound
 * @throws IllegalState the subscriber is not a webhook, or its receiver has ended it
 */
export const rotateSecret = (subscriber: Subscriber, secret: Sealed, now: Instant): SubscriberEvent => {
  const known = wanted(subscriber);
  if (known.mode !== 'webhook') throw new IllegalState('Only subscribers of mode webhook have a secret.');
  const data = { ...which(known), secret, former_until: formerSecretUntil(now), rotated_at: now };
  return { type: 'SubscriberSecretRotated', data };
};

/** A webhook subscription that still needs a challenge; null if it does not, or has ended. */
export const recordChallenge = (subscriber: Subscriber, number: number): KnownSubscriber | null => {
  const known = sameAs(subscriber, number);
  return known?.mode === 'webhook' && (known.status !== 'active' || known.wanted !== null) ? known : null;
};

/** Records a failed challenge of a webhook. Does nothing if it needs no challenge any more. */
export const recordFailedChallenge = (
  subscriber: Subscriber,
  number: number,
  reason: string,
  now: Instant,
): SubscriberEvent[] => {
  const known = recordChallenge(subscriber, number);
  if (!known) return [];
  const data = { ...which(known), attempt: known.failed_challenges + 1, reason, failed_at: now };
  return [{ type: 'SubscriberChallengeFailed', data }];
};
