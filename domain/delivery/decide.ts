import { IllegalState } from '../errors.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import {
  deliveryIdOf,
  type About,
  type AttemptMade,
  type Cause,
  type DeliveryEvent,
  type FanOutAdvanced,
  type Priority,
} from './events.ts';
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

/** A cause, whose it is, and how it is to be told. */
export interface CauseOf {
  organization_id: string;
  cause: Cause;
  /** when it happened */
  caused_at: Instant;
  /** position in its log of the event that made it */
  changed_position: number;
  /**
   * Messages of one series, such as an incident's id, reach a receiver in their order: an older one that still waits
   * when a newer one is planned is given up. null: it stands alone
   */
  series: string | null;
  priority: Priority;
  /** only for messages of a page */
  about?: About;
  /** until when it is worth telling; a day after it happened if absent */
  not_after?: Instant;
}

/**
 * Plans the deliveries to a page of receivers.
 *
 * @param before how far it had been planned; null at the beginning
 * @param complete whether this is the last page
 */
export const planPage = (
  { organization_id, cause, caused_at, changed_position, series, priority, about, not_after }: CauseOf,
  receivers: readonly Receiver[],
  before: FanOut | null,
  { complete, now }: { complete: boolean; now: Instant },
): DeliveryEvent[] => [
  ...(receivers.length === 0
    ? []
    : [
        {
          type: 'DeliveriesPlanned',
          data: {
            organization_id,
            cause,
            caused_at,
            caused_position: changed_position,
            series,
            priority,
            about: about ?? null,
            not_after: not_after ?? notAfter(caused_at),
            deliveries: receivers.map(({ id, notifier, target, recipient }) => ({
              delivery_id: deliveryIdOf(cause, id),
              receiver_id: id,
              notifier,
              target,
              ...(recipient && { recipient }),
            })),
          },
        } as const,
      ]),
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
    }
  | {
      /** what hands messages over, such as a mail relay, is itself out of order: it says nothing about the receiver */
      status: 'unavailable';
      /** when it wants to be asked again; null if it said nothing */
      notBefore: Instant | null;
      reason: string;
      error_message: string;
    };

/** The outcome of a try that has reached the target, or has found that it can't be reached. */
export type Judged = Exclude<Tried, { status: 'unavailable' }>;

type Ended = Pick<Delivery, 'id' | 'organization_id' | 'cause'>;

const named = ({ id, organization_id, cause }: Ended) => ({ delivery_id: id, organization_id, cause });

/** What follows from a try. */
export const recordAttempt = (
  delivery: Ended & Pick<Delivery, 'tries' | 'not_after'>,
  attempt: AttemptMade,
  tried: Judged,
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
