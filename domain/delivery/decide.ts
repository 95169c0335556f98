import { IllegalState } from '../errors.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import { deliveryIdOf, type AttemptMade, type Cause, type DeliveryEvent, type FanOutAdvanced } from './events.ts';
import { notAfter, retryAt } from './schedule.ts';
import type { Delivery } from './state.ts';

/** Who is to be told, and how. */
export interface Receiver {
  /** unique among the receivers of its cause, which are planned for in the order of their ids */
  id: string;
  /** name of a notifier */
  notifier: string;
  /** receivers with the same value share a limit */
  target: string;
  /** as shown to people, sealed under the key of the receiver */
  recipient?: Sealed;
}

/** How far the deliveries of a cause have been planned. */
export type FanOut = Pick<FanOutAdvanced, 'begun_at' | 'page' | 'after' | 'planned' | 'complete'>;

/** A cause, and whose it is. */
export interface CauseOf {
  organization_id: string;
  cause: Cause;
  /** until when it is worth telling; a day if absent */
  not_after?: Instant;
}

/**
 * Plans the deliveries to a page of receivers.
 *
 * @param before how far it had been planned; null at the beginning
 * @param complete whether this is the last page
 */
export const planPage = (
  { organization_id, cause, not_after }: CauseOf,
  receivers: readonly Receiver[],
  before: FanOut | null,
  { complete, now }: { complete: boolean; now: Instant },
): DeliveryEvent[] => [
  ...receivers.map(({ id, notifier, target, recipient }): DeliveryEvent => ({
    type: 'DeliveryPlanned',
    data: {
      delivery_id: deliveryIdOf(cause, id),
      organization_id,
      cause,
      receiver_id: id,
      notifier,
      target,
      ...(recipient && { recipient }),
      not_after: not_after ?? notAfter(now),
    },
  })),
  {
    type: 'FanOutAdvanced',
    data: {
      organization_id,
      cause,
      begun_at: before?.begun_at ?? now,
      page: (before?.page ?? 0) + 1,
      after: receivers.at(-1)?.id ?? before?.after ?? null,
      planned: (before?.planned ?? 0) + receivers.length,
      complete,
    },
  },
];

/** The outcome of a try, as a notifier reports it. */
export type Tried =
  | { status: 'delivered' }
  | {
      status: 'failed';
      /** every further try would fail too */
      permanent: boolean;
      /** when the target wants to be tried again; null if it said nothing */
      notBefore: Instant | null;
      reason: string;
      error_message: string;
    };

type Ended = Pick<Delivery, 'id' | 'organization_id' | 'cause'>;

const named = ({ id, organization_id, cause }: Ended) => ({ delivery_id: id, organization_id, cause });

/** What follows from a try. */
export const recordAttempt = (
  delivery: Ended & Pick<Delivery, 'tries' | 'not_after'>,
  attempt: AttemptMade,
  tried: Tried,
  now: Instant,
): DeliveryEvent => {
  const data = { ...named(delivery), attempt };
  if (tried.status === 'delivered') return { type: 'DeliverySucceeded', data };
  const { permanent, notBefore, reason, error_message } = tried;
  const because = (why: 'permanent' | 'exhausted' | 'expired'): DeliveryEvent => ({
    type: 'DeliveryGivenUp',
    data: { ...data, because: why, reason, error_message },
  });
  if (permanent) return because('permanent');
  const retry_at = retryAt(now, delivery.tries + 1, notBefore);
  if (retry_at === null) return because('exhausted');
  if (retry_at >= delivery.not_after) return because('expired');
  return { type: 'DeliveryAttemptFailed', data: { ...data, reason, error_message, retry_at } };
};

/** Gives up a delivery that was no longer worth telling when its turn came. */
export const expireDelivery = (delivery: Ended): DeliveryEvent => ({
  type: 'DeliveryGivenUp',
  data: {
    ...named(delivery),
    because: 'expired',
    reason: 'expired',
    error_message: 'It could not be delivered before it was too late to be told.',
  },
});

/** Gives up a delivery that no longer has a receiver, or anything to tell. */
export const withdrawDelivery = (delivery: Ended): DeliveryEvent => ({
  type: 'DeliveryGivenUp',
  data: {
    ...named(delivery),
    because: 'withdrawn',
    reason: 'withdrawn',
    error_message: 'There is no longer a receiver, or anything to tell.',
  },
});

/** Lets a delivery be tried again from the beginning. @throws IllegalState it was not given up */
export const retryDelivery = (delivery: Delivery, now: Instant): DeliveryEvent => {
  if (delivery.status !== 'given_up') throw new IllegalState('Only deliveries that were given up can be tried again.');
  return {
    type: 'DeliveryRetried',
    data: { ...named(delivery), retry: delivery.retries + 1, not_after: notAfter(now) },
  };
};
