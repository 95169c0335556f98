import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { Narrowing, SubscriberEvent, SubscriberMode } from './events.ts';

/** A subscription in any status. */
export interface Subscription extends Narrowing {
  /** `quarantined`: confirmed, but its address can't be reached; `unsubscribed`: ended by its receiver */
  status: 'pending' | 'active' | 'quarantined' | 'unsubscribed';
  id: string;
  page_id: string;
  number: number;
  mode: SubscriberMode;
  address: Sealed;
  secret: Sealed | null;
  deliver_notifications: boolean;
  added_with_key: boolean;
  /** the filter that a pending confirmation sets; null if no confirmation is pending */
  wanted: Narrowing | null;
  /** number of challenges that have failed since the last confirmation request */
  failed_challenges: number;
}

/** Data that remains after a subscription was removed. */
interface Remembered {
  id: string;
  /** number of the newest subscription */
  number: number;
  /**
   * Number of the oldest subscription whose key might still exist. The next removal of a subscription deletes this key
   * and all newer ones.
   */
  keys_from: number;
  /** times at which confirmation messages were requested, newest last */
  asked: readonly Instant[];
}

export type Subscriber =
  { status: 'absent' } | (Subscription & Remembered) | ({ status: 'deleted'; page_id: string } & Remembered);

export type KnownSubscriber = Exclude<Subscriber, { status: 'absent' | 'deleted' }>;

/** Maximum length of `asked`. It is greater than every possible daily limit. */
const MOST_ASKED = 100;

export const { existing, onExisting } = lifecycleOf<Subscriber>('subscriber');

const withRequest = (asked: readonly Instant[], asks: boolean, at: Instant): readonly Instant[] =>
  asks ? [...asked, at].slice(-MOST_ASKED) : asked;

const added = (before: Subscriber, data: Extract<SubscriberEvent, { type: 'SubscriberAdded' }>['data']): Subscriber => {
  const { subscriber_id: id, page_id, number, mode, address, secret, component_ids, incident_id } = data;
  const { deliver_notifications, added_with_key, verified, asks, added_at } = data;
  return {
    status: verified ? 'active' : 'pending',
    id,
    page_id,
    number,
    mode,
    address,
    secret,
    component_ids,
    incident_id,
    deliver_notifications,
    added_with_key,
    wanted: null,
    failed_challenges: 0,
    // If the previous subscription was not removed, its key still exists.
    keys_from: before.status === 'absent' || before.status === 'deleted' ? number : before.keys_from,
    asked: withRequest(before.status === 'absent' ? [] : before.asked, asks, added_at),
  };
};

const evolve = (subscriber: Subscriber, event: SubscriberEvent): Subscriber => {
  switch (event.type) {
    case 'SubscriberAdded':
      return added(subscriber, event.data);
    case 'SubscriberConfirmationRequested': {
      const { wanted, asks, requested_at, secret, added_with_key } = event.data;
      return onExisting(subscriber, (known) => ({
        ...known,
        wanted,
        added_with_key,
        secret: secret ?? known.secret,
        failed_challenges: 0,
        asked: withRequest(known.asked, asks, requested_at),
      }));
    }
    case 'SubscriberVerified': {
      const { component_ids, incident_id } = event.data;
      return onExisting(subscriber, (known) => ({
        ...known,
        status: 'active',
        component_ids,
        incident_id,
        wanted: null,
        failed_challenges: 0,
      }));
    }
    case 'SubscriberChanged':
      return onExisting(subscriber, (known) => ({ ...known, ...event.data.changes }));
    case 'SubscriberUnsubscribed':
      return onExisting(subscriber, (known) => ({ ...known, status: 'unsubscribed', wanted: null }));
    case 'SubscriberQuarantined':
      return onExisting(subscriber, (known) => ({ ...known, status: 'quarantined' }));
    case 'SubscriberReleased':
      return onExisting(subscriber, (known) => ({ ...known, status: 'active', wanted: null }));
    case 'SubscriberSecretRotated':
      return onExisting(subscriber, (known) => ({ ...known, secret: event.data.secret }));
    case 'SubscriberChallengeFailed':
      return onExisting(subscriber, (known) => ({ ...known, failed_challenges: event.data.attempt }));
    case 'SubscriberDeleted':
    case 'SubscriberPurged':
      return onExisting(subscriber, ({ id, page_id, number, keys_from, asked }) => ({
        status: 'deleted',
        id,
        page_id,
        number,
        keys_from,
        asked,
      }));
    default:
      return unreachable(event);
  }
};

export const subscriberDecider: Decider<Subscriber, SubscriberEvent> = {
  category: 'subscriber',
  initialState: { status: 'absent' },
  evolve,
};

/** Returns the name of the key that seals the personal data of a subscription. */
export const subscriberKey = (id: string, number: number): string => `subscriber-${id}-${number}`;

/** Returns the names of all keys that must be deleted after the removal of a subscription. */
export const subscriberKeys = ({ id, keys_from, number }: Pick<Remembered, 'id' | 'keys_from' | 'number'>): string[] =>
  Array.from({ length: number - keys_from + 1 }, (_, index) => subscriberKey(id, keys_from + index));
