import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { derivedId } from '../identity.ts';
import { Sealed } from '../sealed.ts';

/** The cause of a message: an update of an incident, an alert, a report. */
export const Cause = Type.Object({
  /** selects the code for its receivers and its text (reactors/delivery/cause.ts): `incident_update` */
  kind: Type.String(),
  /** unique per kind */
  id: Type.String(),
});
export type Cause = Static<typeof Cause>;

/** Priorities, highest first: account mail, alerts, messages of pages to subscribers. */
export const Priority = Type.Union([Type.Literal('account'), Type.Literal('alert'), Type.Literal('page')]);
export type Priority = Static<typeof Priority>;

/** The subject of a page's message, for the page's notification log. */
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
  /** counts from 1 over all attempts of the delivery */
  number: Type.Integer({ minimum: 1 }),
  begun_at: InstantSchema,
  /** whole milliseconds */
  duration: Type.Integer({ minimum: 0 }),
  /** the target's status code; null without a response, or if the protocol has no status codes */
  response_code: Type.Union([Type.Integer(), Type.Null()]),
});
export type AttemptMade = Static<typeof Attempt>;

/** The error, without personal addresses and secrets. */
const failure = {
  /** as a code: `timeout`, `lookup`, `connect`, `tls`, `status`, `redirect`, … */
  reason: Type.String(),
  /** as a sentence */
  error_message: Type.String(),
};

/**
 * Why a delivery ended without success, in the order below: the target refused permanently; the last attempt failed; it
 * expired; its receiver or subject no longer exists; a newer message of its series was planned for the receiver; an
 * operator dropped it after a restore.
 */
const FailureReason = Type.Union([
  Type.Literal('permanent'),
  Type.Literal('exhausted'),
  Type.Literal('expired'),
  Type.Literal('withdrawn'),
  Type.Literal('superseded'),
  Type.Literal('dropped'),
]);
export type GivenUpBecause = Static<typeof FailureReason>;

const delivery = { delivery_id: Type.String(), organization_id: Type.String(), cause: Cause };

/** The receiver of a message. */
const receiver = {
  receiver_id: Type.String(),
  /** name of its notifier (notifiers/index.ts) */
  notifier: Type.String(),
  /** deliveries with the same value share a rate limit; an HMAC of the host, which does not reveal it */
  target: Type.String(),
  /** the recipient as shown to people, sealed under the key of the receiver */
  recipient: Type.Optional(Sealed),
};

/**
 * Messages, each for one receiver, and their outcomes, in `deliveries-{shard}` of the results log.
 * All events of a cause, and of a series, are in one stream, so they keep their order. They contain neither texts nor
 * addresses: both are looked up at each attempt, so that changes of a receiver's address and unsubscriptions take effect.
 */
export const deliveryEvents = {
  /** one delivery; the former event, now DeliveriesPlanned */
  DeliveryPlanned: {
    version: 1,
    data: Type.Object({
      ...delivery,
      ...receiver,
      /** when it expires */
      not_after: InstantSchema,
    }),
  },
  /** the deliveries to a page of the receivers of a cause */
  DeliveriesPlanned: {
    version: 2,
    data: Type.Object({
      organization_id: Type.String(),
      cause: Cause,
      /** when it happened */
      caused_at: InstantSchema,
      /** a receiver gets the messages of a series, such as those of an incident, in order; null: no series */
      series: Type.Union([Type.String(), Type.Null()]),
      /** no message of the series is dropped for a newer one: each waits for the end of the previous one */
      in_order: Type.Optional(Type.Literal(true)),
      priority: Priority,
      about: Type.Union([DeliverySubject, Type.Null()]),
      /** when they expire */
      not_after: InstantSchema,
      deliveries: Type.Array(
        Type.Object({
          delivery_id: Type.String(),
          ...receiver,
          /** it is not sent individually, but waits for a digest, since its receiver has received too many messages */
          held: Type.Optional(Type.Literal(true)),
        }),
      ),
    }),
  },
  /** one message to a receiver instead of several held ones, which get its outcome */
  DeliveriesDigested: {
    version: 1,
    data: Type.Object({
      ...delivery,
      ...receiver,
      not_after: InstantSchema,
      /** the held deliveries that it replaces */
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
      /** the last attempt, if it has just failed */
      attempt: Type.Optional(Attempt),
    }),
  },
  /** a person restarted it after it had failed permanently */
  DeliveryRetried: {
    version: 1,
    data: Type.Object({
      ...delivery,
      /** counts from 1 */
      retry: Type.Integer({ minimum: 1 }),
      not_after: InstantSchema,
    }),
  },
  /** planning progress; appended together with the DeliveriesPlanned of the same page of receivers */
  FanOutAdvanced: {
    version: 1,
    data: Type.Object({
      organization_id: Type.String(),
      cause: Cause,
      /** when its first page was planned */
      begun_at: InstantSchema,
      /** counts from 1 */
      page: Type.Integer({ minimum: 1 }),
      /** the last receiver of the page; null if there was none */
      after: Type.Union([Type.String(), Type.Null()]),
      /** deliveries of all pages so far */
      planned: Type.Integer({ minimum: 0 }),
      /** whether all receivers are planned */
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

/** A cause as one string. */
export const causeKey = ({ kind, id }: Cause): string => `${kind}/${id}`;

/** The id of the delivery of a cause to a receiver. */
export const deliveryIdOf = (cause: Cause, receiverId: string): string =>
  derivedId(`delivery/${causeKey(cause)}/${receiverId}`);

const SHARDS = 4;

/** All shards. */
export const DELIVERY_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** The shard of the stream with all events of a cause, and of its series. */
export const shardOf = ({ cause, series }: { cause: Cause; series: string | null }): string =>
  (derivedId(series === null ? causeKey(cause) : `series/${series}`).charCodeAt(0) % SHARDS).toString();
