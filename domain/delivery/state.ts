import type { RecordedEventOf } from '../catalogue.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import {
  causeKey,
  type AttemptMade,
  type Cause,
  type DeliveriesDigested,
  type DeliveriesPlanned,
  type DeliveryPlanned,
  type GivenUpBecause,
  type Priority,
} from './events.ts';

/** A try and its outcome. */
export interface Attempt extends AttemptMade {
  outcome: 'delivered' | 'failed';
  /** null when it was delivered */
  reason: string | null;
  error_message: string | null;
  /** when the next one is due; null after the last one */
  next_at: Instant | null;
}

/** How many attempts are remembered, newest last; a person may have it tried again any number of times. */
const REMEMBERED = 20;

/** A message for one receiver: the fold of the events that carry its id. */
export interface Delivery {
  id: string;
  organization_id: string;
  cause: Cause;
  /** the cause as one text, for searching */
  cause_key: string;
  caused_at: Instant;
  series: string | null;
  /** each message of the series waits for the end of the one before; otherwise that is given up for it */
  in_order: boolean;
  priority: Priority;
  /** what a message of a page is about; null for others */
  page_id: string | null;
  event: string | null;
  incident_id: string | null;
  incident_update_id: string | null;
  receiver_id: string;
  notifier: string;
  target: string;
  recipient: Sealed | null;
  status: 'planned' | 'delivered' | 'given_up';
  /** when it is next tried; null once it has ended */
  due_at: Instant | null;
  not_after: Instant;
  /** how many there were */
  attempt_count: number;
  /** how many of them since it was planned, or a person last had it tried again */
  tries: number;
  /** the newest ones, newest last */
  attempts: readonly Attempt[];
  /** how often a person had it tried again */
  retries: number;
  /** position of the event that planned it: of a series, the one with the higher is the newer */
  planned_position: number;
  /** set once it was given up */
  given_up: { because: GivenUpBecause; reason: string; error_message: string } | null;
  created_at: Instant;
  updated_at: Instant;
}

/** The same for all messages of a series to a receiver; null: it stands alone. */
export const seriesKeyOf = ({ series, receiver_id }: Pick<Delivery, 'series' | 'receiver_id'>): string | null =>
  series === null ? null : `${series}/${receiver_id}`;

/** Where and when deliveries were planned. */
interface Planned {
  at: Instant;
  /** of the event, in its log */
  position: number;
}

/** The deliveries of a page of receivers. */
export const plannedDeliveries = ({ deliveries, ...of }: DeliveriesPlanned, planned: Planned): Delivery[] =>
  deliveries.map((receiver) => plannedFor(receiver, of, planned));

/** A delivery that was planned by itself. */
export const plannedDelivery = (data: DeliveryPlanned, planned: Planned): Delivery =>
  plannedFor(data, { ...data, caused_at: planned.at, series: null, priority: 'page', about: null }, planned);

/** A message that stands for several: with the priority of alerts, which alone are held. */
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

/** A delivery after one of its events. An event that comes twice, or after the end, changes nothing. */
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
      return { ...tried(delivery, attempt), status: 'delivered', due_at: null, updated_at };
    }
    case 'DeliveryAttemptFailed': {
      const { reason, error_message, retry_at: next_at } = data;
      const attempt = { ...data.attempt, outcome: 'failed', reason, error_message, next_at } as const;
      return { ...tried(delivery, attempt), due_at: next_at, updated_at };
    }
    case 'DeliveryGivenUp': {
      const { because, reason, error_message } = data;
      const attempt =
        data.attempt && ({ ...data.attempt, outcome: 'failed', reason, error_message, next_at: null } as const);
      const given_up = { because, reason, error_message };
      return {
        ...(attempt ? tried(delivery, attempt) : delivery),
        status: 'given_up',
        due_at: null,
        given_up,
        updated_at,
      };
    }
  }
};

/** A delivery that was held, after an event of the digest that stands for it. */
export const changedWithDigest = (delivery: Delivery, { type, data, ...event }: DeliveryChange): Delivery => {
  if (type === 'DeliveryRetried') {
    return changedDelivery(delivery, { ...event, type, data: { ...data, retry: delivery.retries + 1 } });
  }
  // The tries of the digest are counted as its own.
  const number = delivery.attempt_count + 1;
  const own = { ...event, type, data: { ...data, ...(data.attempt && { attempt: { ...data.attempt, number } }) } };
  return changedDelivery(delivery, own as DeliveryChange);
};

const tried = (delivery: Delivery, attempt: Attempt): Delivery => ({
  ...delivery,
  attempt_count: attempt.number,
  tries: delivery.tries + 1,
  attempts: [...delivery.attempts, attempt].slice(-REMEMBERED),
});
