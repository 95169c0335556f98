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
  type GivenUpBecause,
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
  /** it has had so many messages that this one waits for a digest */
  held?: boolean;
}

/** How far the deliveries of a cause have been planned. */
export type FanOut = Pick<FanOutAdvanced, 'begun_at' | 'page' | 'after' | 'planned' | 'complete'>;

/** A cause, whose it is, and how it is to be told. */
export interface CauseOf {
  organization_id: string;
  cause: Cause;
  /** when it happened */
  caused_at: Instant;
  /** when messages may be planned, a minute later at most; absent: at once */
  not_before?: Instant;
  /**
   * Messages of one series, such as an incident's id, reach a receiver in their order: an older one that still waits
   * when a newer one is planned is given up. null: it stands alone
   */
  series: string | null;
  /** instead, none of the series is given up: each waits for the end of the one before */
  in_order?: true;
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
  { organization_id, cause, caused_at, series, in_order, priority, about, not_after }: CauseOf,
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
            series,
            ...(in_order && { in_order }),
            priority,
            about: about ?? null,
            not_after: not_after ?? notAfter(caused_at),
            deliveries: receivers.map(({ id, notifier, target, recipient, held = false }) => ({
              delivery_id: deliveryIdOf(cause, id),
              receiver_id: id,
              notifier,
              target,
              ...(recipient && { recipient }),
              ...(held && ({ held } as const)),
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

/** What follows from a try. @param superseded whether a newer message of its series waits for its end */
export const recordAttempt = (
  delivery: Ended & Pick<Delivery, 'notifier' | 'tries' | 'not_after'>,
  attempt: AttemptMade,
  tried: Judged,
  { now, superseded = false }: { now: Instant; superseded?: boolean },
): DeliveryEvent => {
  const data = { ...named(delivery), attempt };
  if (tried.status === 'delivered') return { type: 'DeliverySucceeded', data };
  const { permanent, notBefore, reason, error_message } = tried;
  const because = (why: GivenUpBecause): DeliveryEvent => ({
    type: 'DeliveryGivenUp',
    data: { ...data, because: why, reason, error_message },
  });
  if (permanent) return because('permanent');
  if (superseded) return because('superseded');
  const retry_at = retryAt(now, delivery, notBefore);
  if (retry_at === null) return because('exhausted');
  if (retry_at >= delivery.not_after) return because('expired');
  return { type: 'DeliveryAttemptFailed', data: { ...data, reason, error_message, retry_at } };
};

/** Why a delivery ends without another try. */
const ENDS = {
  expired: 'It could not be delivered before it was too late to be told.',
  withdrawn: 'There is no longer a receiver, or anything to tell.',
  superseded: 'A newer message about the same was to be delivered.',
  dropped: 'It was dropped after a restore.',
} as const satisfies Partial<Record<GivenUpBecause, string>>;

/**
 * Gives up a delivery without another try: it is no longer worth telling, has no receiver or nothing to tell, a newer
 * one of its series was planned, or an operator does not want it to be sent after a restore.
 */
export const giveUpDelivery = (delivery: Ended, because: keyof typeof ENDS): DeliveryEvent => ({
  type: 'DeliveryGivenUp',
  data: { ...named(delivery), because, reason: because, error_message: ENDS[because] },
});

/** Lets a delivery be tried again from the beginning. @throws IllegalState it was not given up */
export const retryDelivery = (delivery: Delivery, now: Instant): DeliveryEvent => {
  if (delivery.status !== 'given_up') throw new IllegalState('Only deliveries that were given up can be tried again.');
  return {
    type: 'DeliveryRetried',
    data: { ...named(delivery), retry: delivery.retries + 1, not_after: notAfter(now) },
  };
};
