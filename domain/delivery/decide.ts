import { IllegalState } from '../errors.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import {
  deliveryIdOf,
  type DeliverySubject,
  type AttemptMade,
  type Cause,
  type DeliveryEvent,
  type FanOutAdvanced,
  type GivenUpBecause,
  type Priority,
} from './events.ts';
import { deliveryExpiryOf, retryAt } from './schedule.ts';
import type { Delivery } from './state.ts';

/** A receiver of messages. */
export interface DeliveryReceiver {
  /** unique among the receivers of its cause, whose deliveries are planned in the order of their ids */
  id: string;
  /** name of a notifier */
  notifier: string;
  /** receivers with the same value share a rate limit */
  target: string;
  /** as shown to people, sealed under the key of the receiver */
  recipient?: Sealed;
  /** it has received so many messages that this one waits for a digest */
  held?: boolean;
}

/** The planning progress of a cause's deliveries. */
export type FanOut = Pick<FanOutAdvanced, 'begun_at' | 'page' | 'after' | 'planned' | 'complete'>;

/** A cause of messages, its organization, and how its messages are sent. */
export interface CauseOf {
  organization_id: string;
  cause: Cause;
  /** when it happened */
  caused_at: Instant;
  /** when messages may be planned, at most a minute later; absent: immediately */
  not_before?: Instant;
  /**
   * The series, such as an incident's id. A receiver gets the messages of a series in order: an older message that is
   * still waiting when a newer one is planned is dropped. null: no series
   */
  series: string | null;
  /** no message of the series is dropped: each waits for the end of the previous one */
  in_order?: true;
  priority: Priority;
  /** only for messages of a page */
  about?: DeliverySubject;
  /** when the messages expire; default: a day after the cause */
  not_after?: Instant;
}

/**
 * Plans the deliveries to a page of receivers.
 *
 * @param before the progress so far; null at the beginning
 * @param complete whether this is the last page
 */
export const planPage = (
  { organization_id, cause, caused_at, series, in_order, priority, about, not_after }: CauseOf,
  receivers: readonly DeliveryReceiver[],
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
            not_after: not_after ?? deliveryExpiryOf(caused_at),
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

/** The outcome of an attempt, as reported by a notifier. */
export type AttemptOutcome =
  | { status: 'delivered' }
  | {
      status: 'failed';
      /** every further attempt would fail too */
      permanent: boolean;
      /** the earliest retry that the target requested; null if it requested none */
      notBefore: Instant | null;
      reason: string;
      error_message: string;
    }
  | {
      /** the infrastructure, such as a mail relay, is unavailable; the receiver is not at fault */
      status: 'unavailable';
      /** the earliest retry that it requested; null if it requested none */
      notBefore: Instant | null;
      reason: string;
      error_message: string;
    };

/** The outcome of an attempt that reached the target, or found it unreachable. */
export type CompletedAttempt = Exclude<AttemptOutcome, { status: 'unavailable' }>;

type Ended = Pick<Delivery, 'id' | 'organization_id' | 'cause'>;

const named = ({ id, organization_id, cause }: Ended) => ({ delivery_id: id, organization_id, cause });

/** The event after an attempt. @param superseded whether a newer message of its series waits for its end */
export const recordAttempt = (
  delivery: Ended & Pick<Delivery, 'notifier' | 'tries' | 'not_after'>,
  attempt: AttemptMade,
  tried: CompletedAttempt,
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

/** Why a delivery ends without another attempt. */
const ENDS = {
  expired: 'The message expired before it could be delivered.',
  withdrawn: 'The receiver or the subject of the message no longer exists.',
  superseded: 'A newer message about the same subject replaced this one.',
  dropped: 'The message was dropped after a restore.',
} as const satisfies Partial<Record<GivenUpBecause, string>>;

/**
 * Ends a delivery without another attempt: it has expired, its receiver or subject no longer exists, a newer message of
 * its series was planned, or an operator dropped it after a restore.
 */
export const abandonDelivery = (delivery: Ended, because: keyof typeof ENDS): DeliveryEvent => ({
  type: 'DeliveryGivenUp',
  data: { ...named(delivery), because, reason: because, error_message: ENDS[because] },
});

/** Restarts a delivery that failed permanently. @throws IllegalState it has not failed permanently */
export const retryDelivery = (delivery: Delivery, now: Instant): DeliveryEvent => {
  if (delivery.status !== 'given_up') throw new IllegalState('Only deliveries that failed permanently can be retried.');
  return {
    type: 'DeliveryRetried',
    data: { ...named(delivery), retry: delivery.retries + 1, not_after: deliveryExpiryOf(now) },
  };
};
