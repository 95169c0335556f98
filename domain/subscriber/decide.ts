import { changedFields } from '../changes.ts';
import { IllegalState } from '../errors.ts';
import { isThere, noSuch } from '../lifecycle.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { EventOf } from '../catalogue.ts';
import type { PurgeReason, SubscriberEvent } from './events.ts';
import { existing, type Known, type Subscriber } from './state.ts';
import { formerSecretUntil, quarantinedUntil } from './times.ts';

const which = ({ id, page_id, number }: Pick<Known, 'id' | 'page_id' | 'number'>) => ({
  subscriber_id: id,
  page_id,
  number,
});

/** A subscription that its receiver has not ended. @throws NotFound @throws IllegalState */
const wanted = (subscriber: Subscriber): Known => {
  const known = existing(subscriber);
  if (known.status === 'unsubscribed') throw new IllegalState('The receiver has ended this subscription.');
  return known;
};

/** The subscription with this number, as it is; null: it has ended, or another one has begun. */
const sameAs = (subscriber: Subscriber, number: number): Known | null =>
  isThere(subscriber) && subscriber.number === number && subscriber.status !== 'unsubscribed' ? subscriber : null;

export interface SubscriberChanges {
  component_ids?: readonly string[] | null | undefined;
  deliver_notifications?: boolean | undefined;
  /** one in quarantine that delivered before stays there; default: it is released if it is told to deliver */
  keepsQuarantine?: boolean;
}

/**
 * Changes a subscription. One in quarantine that is told to deliver is tried again.
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

const released = (known: Known, now: Instant): EventOf<'SubscriberReleased'> => ({
  type: 'SubscriberReleased',
  data: { ...which(known), released_at: now },
});

/**
 * The address wants the messages: a link was followed and its button pressed, or a webhook answered a challenge. There
 * is nothing to do where that is known.
 *
 * @throws NotFound the subscription has ended, or a later one has begun
 */
export const verifySubscriber = (subscriber: Subscriber, number: number, now: Instant): SubscriberEvent[] => {
  const known = sameAs(subscriber, number);
  if (!known) throw noSuch('subscriber');
  if (known.status === 'active' && known.wanted === null) return [];
  const { component_ids, incident_id } = known.wanted ?? known;
  return [{ type: 'SubscriberVerified', data: { ...which(known), component_ids, incident_id, verified_at: now } }];
};

/**
 * The receiver ends the subscription, confirmed or not. There is nothing to do where it ended before.
 *
 * @throws NotFound another subscription of the address has begun, or there never was one
 */
export const unsubscribe = (subscriber: Subscriber, number: number, now: Instant): SubscriberEvent[] => {
  if (subscriber.status === 'absent' || subscriber.number !== number) throw noSuch('subscriber');
  if (subscriber.status === 'deleted' || subscriber.status === 'unsubscribed') return [];
  return [{ type: 'SubscriberUnsubscribed', data: { ...which(subscriber), unsubscribed_at: now } }];
};

/** Removes a subscription and forgets its address, also of one that its receiver had ended. @throws NotFound */
export const deleteSubscriber = (subscriber: Subscriber, now: Instant): EventOf<'SubscriberDeleted'> => {
  const known = existing(subscriber);
  return { type: 'SubscriberDeleted', data: { ...which(known), keys_from: known.keys_from, deleted_at: now } };
};

/** Sends nothing more to an address that can't be reached. One that does not receive anything is left alone. */
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

/** Ends a quarantine. @throws NotFound @throws IllegalState it is in none, or its receiver has ended it */
export const releaseSubscriber = (subscriber: Subscriber, now: Instant): SubscriberEvent[] => {
  const known = wanted(subscriber);
  if (known.status !== 'quarantined') throw new IllegalState('The subscriber is not in quarantine.');
  return [released(known, now)];
};

/**
 * Removes a subscription whose time is up, and forgets its address. One that has ended or begun anew is left alone, and
 * so is one that was confirmed or released since the reason was true.
 */
export const purgeSubscriber = (
  subscriber: Subscriber,
  number: number,
  reason: PurgeReason,
  now: Instant,
): SubscriberEvent[] => {
  if (!isThere(subscriber) || subscriber.number !== number) return [];
  if (reason === 'unconfirmed' && subscriber.status !== 'pending') return [];
  if (reason === 'quarantined' && subscriber.status !== 'quarantined') return [];
  if (reason === 'incident_ended' && subscriber.incident_id === null) return [];
  const data = { ...which(subscriber), keys_from: subscriber.keys_from, reason, purged_at: now };
  return [{ type: 'SubscriberPurged', data }];
};

/**
 * Gives a webhook another secret; messages are signed with both for a day.
 *
 * @throws NotFound
 * @throws IllegalState nothing is signed for this mode, or its receiver has ended it
 */
export const rotateSecret = (subscriber: Subscriber, secret: Sealed, now: Instant): SubscriberEvent => {
  const known = wanted(subscriber);
  if (known.mode !== 'webhook') throw new IllegalState('Only subscribers of mode webhook have a secret.');
  const data = { ...which(known), secret, former_until: formerSecretUntil(now), rotated_at: now };
  return { type: 'SubscriberSecretRotated', data };
};

/** A webhook that has yet to prove that it wants messages; null: it need not, or that subscription has ended. */
export const challenged = (subscriber: Subscriber, number: number): Known | null => {
  const known = sameAs(subscriber, number);
  return known?.mode === 'webhook' && (known.status !== 'active' || known.wanted !== null) ? known : null;
};

/** A webhook has not answered a challenge as it should. One that is not asked any more is left alone. */
export const challengeFailed = (
  subscriber: Subscriber,
  number: number,
  reason: string,
  now: Instant,
): SubscriberEvent[] => {
  const known = challenged(subscriber, number);
  if (!known) return [];
  const data = { ...which(known), attempt: known.failed_challenges + 1, reason, failed_at: now };
  return [{ type: 'SubscriberChallengeFailed', data }];
};
