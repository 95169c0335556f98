import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { derivedId } from '../identity.ts';
import { Sealed } from '../sealed.ts';

/** The cause of a message: for example an update of an incident, an alert or a report. */
export const Cause = Type.Object({
  /**
   * The kind of cause, such as `incident_update`. The kind selects the code that finds the receivers and writes the
   * text (reactors/delivery/cause.ts).
   */
  kind: Type.String(),
  /** unique within the kind */
  id: Type.String(),
});
export type Cause = Static<typeof Cause>;

/** Priorities of messages, highest first: account mail, alerts, messages of status pages to subscribers. */
export const Priority = Type.Union([Type.Literal('account'), Type.Literal('alert'), Type.Literal('page')]);
export type Priority = Static<typeof Priority>;

/** The subject of a status page's message, for the notification log of the page. */
export const DeliverySubject = Type.Object({
  page_id: Type.String(),
  /** such as `incident.created` */
  event: Type.String(),
  incident_id: Type.Union([Type.String(), Type.Null()]),
  incident_update_id: Type.Union([Type.String(), Type.Null()]),
});
export type DeliverySubject = Static<typeof DeliverySubject>;

/** One delivery attempt. */
const Attempt = Type.Object({
  /** number of the attempt among all attempts of the delivery, from 1 */
  number: Type.Integer({ minimum: 1 }),
  begun_at: InstantSchema,
  /** whole milliseconds */
  duration: Type.Integer({ minimum: 0 }),
  /** the target's status code; null without a response, or if the protocol has no status codes */
  response_code: Type.Union([Type.Integer(), Type.Null()]),
});
export type AttemptMade = Static<typeof Attempt>;

/** The error of an attempt, without personal addresses and secrets. */
const failure = {
  /** the error as a code: `timeout`, `lookup`, `connect`, `tls`, `status`, `redirect`, … */
  reason: Type.String(),
  /** the error as a sentence */
  error_message: Type.String(),
};

/**
 * Why a delivery ended without success. `permanent`: the target refused the message permanently. `exhausted`: the final
 * allowed attempt failed. `expired`: the message expired. `withdrawn`: the receiver or the subject no longer exists.
 * `superseded`: a newer message of the series was planned for the receiver. `dropped`: an operator dropped the message
 * after restoring a backup.
 */
const FailureReason = Type.Union([
  Type.Literal('permanent'),
  Type.Literal('exhausted'),
  Type.Literal('expired'),
  Type.Literal('withdrawn'),
  Type.Literal('superseded'),
  Type.Literal('dropped'),
]);
export type DeliveryFailureReason = Static<typeof FailureReason>;

const delivery = { delivery_id: Type.String(), organization_id: Type.String(), cause: Cause };

/** The receiver of a message. */
const receiver = {
  receiver_id: Type.String(),
  /** name of the receiver's notifier (notifiers/index.ts) */
  notifier: Type.String(),
  /** An HMAC of the host, which does not reveal the host. Deliveries with the same value share a rate limit. */
  target: Type.String(),
  /** the recipient as shown to people, sealed under the key of the receiver */
  recipient: Type.Optional(Sealed),
};

/**
 * Messages, each for one receiver, and their outcomes, in the streams `deliveries-{shard}` of the results log. To
 * preserve their order, all events of a cause are in one stream, and so are all events of a series. The events contain
 * neither texts nor addresses. Both are looked up at each attempt, so that a changed address or an unsubscription takes
 * effect.
 */
export const deliveryEvents = {
  /** One planned delivery. No longer appended: DeliveriesPlanned replaces this event. */
  DeliveryPlanned: {
    version: 1,
    data: Type.Object({
      ...delivery,
      ...receiver,
      /** when the message expires */
      not_after: InstantSchema,
    }),
  },
  /** Deliveries to one page (batch) of the receivers of a cause. */
  DeliveriesPlanned: {
    version: 2,
    data: Type.Object({
      organization_id: Type.String(),
      cause: Cause,
      /** when the cause happened */
      caused_at: InstantSchema,
      /**
       * The series of the cause, such as an incident's id; null: no series. A receiver gets the messages of a series in
       * order.
       */
      series: Type.Union([Type.String(), Type.Null()]),
      /**
       * true: no message of the series is dropped for a newer message; each message waits until the delivery of the
       * previous message has ended
       */
      in_order: Type.Optional(Type.Literal(true)),
      priority: Priority,
      about: Type.Union([DeliverySubject, Type.Null()]),
      /** when the messages expire */
      not_after: InstantSchema,
      deliveries: Type.Array(
        Type.Object({
          delivery_id: Type.String(),
          ...receiver,
          /** true: the message waits for a digest, because the receiver has already got too many messages */
          held: Type.Optional(Type.Literal(true)),
        }),
      ),
    }),
  },
  /**
   * One message replaces several messages that are waiting for the same receiver. The replaced deliveries get the
   * outcome of this digest.
   */
  DeliveriesDigested: {
    version: 1,
    data: Type.Object({
      ...delivery,
      ...receiver,
      not_after: InstantSchema,
      /** the waiting deliveries that the digest replaces */
      delivery_ids: Type.Array(Type.String(), { minItems: 1 }),
    }),
  },
  DeliverySucceeded: { version: 1, data: Type.Object({ ...delivery, attempt: Attempt }) },
  DeliveryAttemptFailed: {
    version: 1,
    data: Type.Object({ ...delivery, attempt: Attempt, ...failure, retry_at: InstantSchema }),
  },
  DeliveryGivenUp: {
    version: 1,
    data: Type.Object({
      ...delivery,
      because: FailureReason,
      ...failure,
      /** the attempt that has just failed, if this failure ended the delivery */
      attempt: Type.Optional(Attempt),
    }),
  },
  /** A person restarted a delivery that had failed permanently. */
  DeliveryRetried: {
    version: 1,
    data: Type.Object({
      ...delivery,
      /** number of the restart, from 1 */
      retry: Type.Integer({ minimum: 1 }),
      not_after: InstantSchema,
    }),
  },
  /** The planning progress of a cause. Appended together with the DeliveriesPlanned of the same page of receivers. */
  FanOutAdvanced: {
    version: 1,
    data: Type.Object({
      organization_id: Type.String(),
      cause: Cause,
      /** when the first page was planned */
      begun_at: InstantSchema,
      /** number of the page, from 1 */
      page: Type.Integer({ minimum: 1 }),
      /** id of the receiver that was planned most recently; null if no receiver has been planned */
      after: Type.Union([Type.String(), Type.Null()]),
      /** number of deliveries of all pages so far */
      planned: Type.Integer({ minimum: 0 }),
      /** whether deliveries to all receivers are planned */
      complete: Type.Boolean(),
    }),
  },
} as const satisfies EventDefinitions;

export type DeliveryEvent = EventsOf<typeof deliveryEvents>;

type DataOf<T extends DeliveryEvent['type']> = Extract<DeliveryEvent, { type: T }>['data'];
export type DeliveryPlanned = DataOf<'DeliveryPlanned'>;
export type DeliveriesPlanned = DataOf<'DeliveriesPlanned'>;
export type DeliveriesDigested = DataOf<'DeliveriesDigested'>;
export type FanOutAdvanced = DataOf<'FanOutAdvanced'>;

/** The cause kind of digests. */
export const DIGEST = 'digest';

/** Returns a cause as one string. */
export const causeKey = ({ kind, id }: Cause): string => `${kind}/${id}`;

/** Returns the id of the delivery that informs a receiver about a cause. */
export const deliveryIdOf = (cause: Cause, receiverId: string): string =>
  derivedId(`delivery/${causeKey(cause)}/${receiverId}`);

const SHARDS = 4;

/** Names of all shards. */
export const DELIVERY_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** Returns the shard whose stream contains all events of a cause. All causes of a series have the same shard. */
export const shardOf = ({ cause, series }: { cause: Cause; series: string | null }): string =>
  (derivedId(series === null ? causeKey(cause) : `series/${series}`).charCodeAt(0) % SHARDS).toString();
