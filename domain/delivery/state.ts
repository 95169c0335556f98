import type { RecordedEventOf } from '../event-types.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import {
  causeKey,
  type AttemptMade,
  type Cause,
  type DeliveriesDigested,
  type DeliveriesPlanned,
  type DeliveryPlanned,
  type DeliveryFailureReason,
  type Priority,
} from './events.ts';

/** A delivery attempt and its outcome. */
export interface Attempt extends AttemptMade {
  outcome: 'delivered' | 'failed';
  /** null on success */
  reason: string | null;
  error_message: string | null;
  /** when the next attempt is due; null after the final attempt */
  next_at: Instant | null;
}

/**
 * How many attempts of a delivery are stored. Without a limit the list could grow for ever, because a person can
 * restart a delivery any number of times.
 */
const REMEMBERED = 20;

/** A message for one receiver. It is the fold of the events that contain its id. */
export interface Delivery {
  id: string;
  organization_id: string;
  cause: Cause;
  /** the cause as one text, for searching */
  cause_key: string;
  caused_at: Instant;
  series: string | null;
  /**
   * true: each message of the series waits until the delivery of the previous message has ended; false: a newer message
   * replaces a waiting message
   */
  in_order: boolean;
  priority: Priority;
  /** the subject of a page's message; null for other messages */
  page_id: string | null;
  event: string | null;
  incident_id: string | null;
  incident_update_id: string | null;
  receiver_id: string;
  notifier: string;
  target: string;
  recipient: Sealed | null;
  status: 'planned' | 'delivered' | 'given_up';
  /** when the next attempt is due; null after the end of the delivery */
  due_at: Instant | null;
  not_after: Instant;
  /** the number of attempts */
  attempt_count: number;
  /** the number of attempts since the delivery was planned or most recently restarted */
  tries: number;
  /** the latest attempts, newest last */
  attempts: readonly Attempt[];
  /** how often the delivery was restarted */
  retries: number;
  /** position of the event that planned the delivery. Within a series, a higher position is newer. */
  planned_position: number;
  /** why the delivery failed permanently; null if it did not fail permanently */
  given_up: { because: DeliveryFailureReason; reason: string; error_message: string } | null;
  created_at: Instant;
  updated_at: Instant;
}

/** Returns the key of a series for one receiver; null without a series. */
export const seriesKeyOf = ({ series, receiver_id }: Pick<Delivery, 'series' | 'receiver_id'>): string | null =>
  series === null ? null : `${series}/${receiver_id}`;

/** The time and position of the event that planned deliveries. */
interface Planned {
  at: Instant;
  /** position of the event in its log */
  position: number;
}

/** Returns the deliveries to one page (batch) of receivers. */
export const plannedDeliveries = ({ deliveries, ...of }: DeliveriesPlanned, planned: Planned): Delivery[] =>
  deliveries.map((receiver) => plannedFor(receiver, of, planned));

/** Returns the delivery of the event DeliveryPlanned, which is no longer appended. */
export const plannedDelivery = (data: DeliveryPlanned, planned: Planned): Delivery =>
  plannedFor(data, { ...data, caused_at: planned.at, series: null, priority: 'page', about: null }, planned);

/** Returns the delivery of a digest. It has the priority of alerts, because only alerts wait for digests. */
export const plannedDigest = (data: DeliveriesDigested, planned: Planned): Delivery =>
  plannedFor(data, { ...data, caused_at: planned.at, series: null, priority: 'alert', about: null }, planned);

const plannedFor = (
  { delivery_id, receiver_id, notifier, target, recipient }: DeliveriesPlanned['deliveries'][number],
  of: Omit<DeliveriesPlanned, 'deliveries'>,
  { at, position }: Planned,
): Delivery => ({
  id: delivery_id,
  organization_id: of.organization_id,
  cause: of.cause,
  cause_key: causeKey(of.cause),
  caused_at: of.caused_at,
  series: of.series,
  in_order: of.in_order ?? false,
  priority: of.priority,
  page_id: of.about?.page_id ?? null,
  event: of.about?.event ?? null,
  incident_id: of.about?.incident_id ?? null,
  incident_update_id: of.about?.incident_update_id ?? null,
  receiver_id,
  notifier,
  target,
  recipient: recipient ?? null,
  status: 'planned',
  due_at: at,
  not_after: of.not_after,
  attempt_count: 0,
  tries: 0,
  attempts: [],
  retries: 0,
  planned_position: position,
  given_up: null,
  created_at: at,
  updated_at: at,
});

type DeliveryChange = RecordedEventOf<
  'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryGivenUp' | 'DeliveryRetried'
>;

/**
 * Returns a delivery after one of its events. Repeated events, and events after the end of the delivery, change
 * nothing.
 */
export const changedDelivery = (delivery: Delivery, event: DeliveryChange): Delivery => {
  const { type, data, metadata } = event;
  const updated_at = metadata.recorded_at;
  if (type === 'DeliveryRetried') {
    if (delivery.status !== 'given_up' || data.retry !== delivery.retries + 1) return delivery;
    const again = { status: 'planned', due_at: updated_at, tries: 0, given_up: null } as const;
    return { ...delivery, ...again, retries: data.retry, not_after: data.not_after, updated_at };
  }
  if (delivery.status !== 'planned') return delivery;
  if (data.attempt && data.attempt.number !== delivery.attempt_count + 1) return delivery;
  switch (type) {
    case 'DeliverySucceeded': {
      const attempt = {
        ...data.attempt,
        outcome: 'delivered',
        reason: null,
        error_message: null,
        next_at: null,
      } as const;
      return { ...withAttempt(delivery, attempt), status: 'delivered', due_at: null, updated_at };
    }
    case 'DeliveryAttemptFailed': {
      const { reason, error_message, retry_at: next_at } = data;
      const attempt = { ...data.attempt, outcome: 'failed', reason, error_message, next_at } as const;
      return { ...withAttempt(delivery, attempt), due_at: next_at, updated_at };
    }
    case 'DeliveryGivenUp': {
      const { because, reason, error_message } = data;
      const attempt =
        data.attempt && ({ ...data.attempt, outcome: 'failed', reason, error_message, next_at: null } as const);
      const given_up = { because, reason, error_message };
      return {
        ...(attempt ? withAttempt(delivery, attempt) : delivery),
        status: 'given_up',
        due_at: null,
        given_up,
        updated_at,
      };
    }
  }
};

/** Applies an event of a digest to one of the deliveries that the digest replaces. */
export const changedWithDigest = (delivery: Delivery, { type, data, ...event }: DeliveryChange): Delivery => {
  if (type === 'DeliveryRetried') {
    return changedDelivery(delivery, { ...event, type, data: { ...data, retry: delivery.retries + 1 } });
  }
  // An attempt of the digest counts as an attempt of the waiting delivery, and gets the next attempt number of that
  // delivery.
  const number = delivery.attempt_count + 1;
  const own = { ...event, type, data: { ...data, ...(data.attempt && { attempt: { ...data.attempt, number } }) } };
  return changedDelivery(delivery, own as DeliveryChange);
};

const withAttempt = (delivery: Delivery, attempt: Attempt): Delivery => ({
  ...delivery,
  attempt_count: attempt.number,
  tries: delivery.tries + 1,
  attempts: [...delivery.attempts, attempt].slice(-REMEMBERED),
});
