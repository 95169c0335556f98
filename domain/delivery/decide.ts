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
  type DeliveryFailureReason,
  type Priority,
} from './events.ts';
import { deliveryExpiryOf, retryAt } from './schedule.ts';
import type { Delivery } from './state.ts';

/** A receiver of messages. */
export interface DeliveryReceiver {
  /** Unique within a cause. Deliveries of a cause are planned in the order of these ids. */
  id: string;
  /** name of a notifier */
  notifier: string;
  /** receivers with the same value share a rate limit */
  target: string;
  /** the recipient as shown to people, sealed under the key of the receiver */
  recipient?: Sealed;
  /** whether the message waits for a digest, because the receiver has already got too many messages */
  held?: boolean;
}

/** The planning progress of a cause's deliveries. */
export type FanOut = Pick<FanOutAdvanced, 'begun_at' | 'page' | 'after' | 'planned' | 'complete'>;

/** A cause of messages, with its organization and the rules for sending its messages. */
export interface CauseOf {
  organization_id: string;
  cause: Cause;
  /** when the cause happened */
  caused_at: Instant;
  /** the earliest time for planning the messages, at most a minute after the cause; absent: immediately */
  not_before?: Instant;
  /**
   * The series of the cause, such as an incident's id; null: no series. A receiver gets the messages of a series in
   * order. If an older message is still waiting when a newer message is planned, the older message is dropped.
   */
  series: string | null;
  /** true: no message of the series is dropped; each waits until the delivery of the previous one has ended */
  in_order?: true;
  priority: Priority;
  /** the subject of the message; only for messages of a status page */
  about?: DeliverySubject;
  /** when the messages expire; default: a day after the cause */
  not_after?: Instant;
}

/**
 * Plans the deliveries to one page (batch) of receivers.
 *
 * @param before the progress so far; null before the first page
 * @param complete whether this is the final page
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
      /** whether every further attempt would fail too */
      permanent: boolean;
      /** the earliest time for a retry that the target requested; null if it requested none */
      notBefore: Instant | null;
      reason: string;
      error_message: string;
    }
  | {
      /** the infrastructure, such as a mail relay, is unavailable; this does not count as a failure of the receiver */
      status: 'unavailable';
      /** the earliest time for a retry that the infrastructure requested; null if it requested none */
      notBefore: Instant | null;
      reason: string;
      error_message: string;
    };

/** The outcome of an attempt, unless the infrastructure was unavailable. */
export type CompletedAttempt = Exclude<AttemptOutcome, { status: 'unavailable' }>;

type Ended = Pick<Delivery, 'id' | 'organization_id' | 'cause'>;

const named = ({ id, organization_id, cause }: Ended) => ({ delivery_id: id, organization_id, cause });

/**
 * Returns the event that records an attempt.
 *
 * @param superseded whether a newer message of the series waits until this delivery has ended
 */
export const recordAttempt = (
  delivery: Ended & Pick<Delivery, 'notifier' | 'tries' | 'not_after'>,
  attempt: AttemptMade,
  tried: CompletedAttempt,
  { now, superseded = false }: { now: Instant; superseded?: boolean },
): DeliveryEvent => {
  const data = { ...named(delivery), attempt };
  if (tried.status === 'delivered') return { type: 'DeliverySucceeded', data };
  const { permanent, notBefore, reason, error_message } = tried;
  const because = (why: DeliveryFailureReason): DeliveryEvent => ({
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

/** Error messages of deliveries that end without another attempt, by reason. */
const ENDS = {
  expired: 'The message expired before it could be delivered.',
  withdrawn: 'The receiver or the subject of the message no longer exists.',
  superseded: 'A newer message about the same subject replaced this one.',
  dropped: 'The message was dropped after a restore.',
} as const satisfies Partial<Record<DeliveryFailureReason, string>>;

/**
 * Ends a delivery without another attempt: the message has expired, its receiver or subject no longer exists, a newer
 * message of its series was planned, or an operator dropped the message after restoring a backup.
 */
export const abandonDelivery = (delivery: Ended, because: keyof typeof ENDS): DeliveryEvent => ({
  type: 'DeliveryGivenUp',
  data: { ...named(delivery), because, reason: because, error_message: ENDS[because] },
});

/** Restarts a delivery that failed permanently. @throws IllegalState the delivery has not failed permanently */
export const retryDelivery = (delivery: Delivery, now: Instant): DeliveryEvent => {
  if (delivery.status !== 'given_up') throw new IllegalState('Only deliveries that failed permanently can be retried.');
  return {
    type: 'DeliveryRetried',
    data: { ...named(delivery), retry: delivery.retries + 1, not_after: deliveryExpiryOf(now) },
  };
};
