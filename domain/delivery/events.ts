import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { derivedId } from '../identity.ts';
import { Sealed } from '../sealed.ts';

/** What somebody is told about: an update of an incident, an alert, a report. */
export const Cause = Type.Object({
  /** names the code that knows its receivers and its text (reactors/delivery/cause.ts): `incident_update` */
  kind: Type.String(),
  /** unique among those of its kind */
  id: Type.String(),
});
export type Cause = Static<typeof Cause>;

/** Whose turn comes first: mail about an account and alerts are sent before what pages tell their subscribers. */
export const Priority = Type.Union([Type.Literal('account'), Type.Literal('alert'), Type.Literal('page')]);
export type Priority = Static<typeof Priority>;

/** What a message of a page is about, for the page's notification log. */
export const About = Type.Object({
  page_id: Type.String(),
  /** such as `incident.created` */
  event: Type.String(),
  incident_id: Type.Union([Type.String(), Type.Null()]),
  incident_update_id: Type.Union([Type.String(), Type.Null()]),
});
export type About = Static<typeof About>;

/** One try to deliver. */
const Attempt = Type.Object({
  /** counts from 1, over all tries of the delivery */
  number: Type.Integer({ minimum: 1 }),
  begun_at: InstantSchema,
  /** whole milliseconds */
  duration: Type.Integer({ minimum: 0 }),
  /** the target's status code in its protocol; null if it did not answer or the protocol has none */
  response_code: Type.Union([Type.Integer(), Type.Null()]),
});
export type AttemptMade = Static<typeof Attempt>;

/** What went wrong; neither holds an address of a person nor a secret. */
const failure = {
  /** for programs: `timeout`, `lookup`, `connect`, `tls`, `status`, `redirect`, … */
  reason: Type.String(),
  /** a sentence for people */
  error_message: Type.String(),
};

/**
 * Why nothing more is tried: the target refused for good; the last try has failed; its deadline has passed;
 * there is no longer a receiver, or anything to tell; a newer message of its series was planned for the receiver; an
 * operator dropped it after a restore.
 */
const GivenUpBecause = Type.Union([
  Type.Literal('permanent'),
  Type.Literal('exhausted'),
  Type.Literal('expired'),
  Type.Literal('withdrawn'),
  Type.Literal('superseded'),
  Type.Literal('dropped'),
]);
export type GivenUpBecause = Static<typeof GivenUpBecause>;

const delivery = { delivery_id: Type.String(), organization_id: Type.String(), cause: Cause };

/** Who is told, and how. */
const receiver = {
  receiver_id: Type.String(),
  /** name of its notifier (notifiers/index.ts) */
  notifier: Type.String(),
  /** deliveries with the same value share a limit; does not reveal the target (HMAC of the host) */
  target: Type.String(),
  /** whom it was for, as shown to people, sealed under the key of the receiver */
  recipient: Type.Optional(Sealed),
};

/**
 * Messages, each for one receiver, and their outcomes, in `deliveries-{shard}` of the results log.
 * All events of a cause, and of a series, are in one stream, so they keep their order. They contain neither texts nor addresses:
 * both are looked up at each try, so a receiver who has moved or left is respected.
 */
export const deliveryEvents = {
  /** one delivery, as they were planned by themselves */
  DeliveryPlanned: {
    version: 1,
    data: Type.Object({
      ...delivery,
      ...receiver,
      /** from then on it is no longer worth telling */
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
      /** messages of one series, such as those about an incident, reach a receiver in their order; null: alone */
      series: Type.Union([Type.String(), Type.Null()]),
      /** none of the series is given up for a newer one: each waits for the end of the one before */
      in_order: Type.Optional(Type.Literal(true)),
      priority: Priority,
      about: Type.Union([About, Type.Null()]),
      /** from then on they are no longer worth telling */
      not_after: InstantSchema,
      deliveries: Type.Array(
        Type.Object({
          delivery_id: Type.String(),
          ...receiver,
          /** it is not sent by itself: its receiver has had so many that it waits for a digest */
          held: Type.Optional(Type.Literal(true)),
        }),
      ),
    }),
  },
  /** one message to a receiver instead of several that were held; they end as it does */
  DeliveriesDigested: {
    version: 1,
    data: Type.Object({
      ...delivery,
      ...receiver,
      not_after: InstantSchema,
      /** the deliveries that it stands for */
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
      because: GivenUpBecause,
      ...failure,
      /** the last one, if that has just failed */
      attempt: Type.Optional(Attempt),
    }),
  },
  /** a person asked for it to be tried again, after it was given up */
  DeliveryRetried: {
    version: 1,
    data: Type.Object({
      ...delivery,
      /** counts from 1 */
      retry: Type.Integer({ minimum: 1 }),
      not_after: InstantSchema,
    }),
  },
  /** the deliveries to a page of the receivers of a cause come right before it, in the same append */
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
      /** nobody is left to plan for */
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

/** The kind of cause of a message that stands for several. */
export const DIGEST = 'digest';

/** A cause in one text. */
export const causeKey = ({ kind, id }: Cause): string => `${kind}/${id}`;

/** The delivery of a cause to a receiver; there is one of each. */
export const deliveryIdOf = (cause: Cause, receiverId: string): string =>
  derivedId(`delivery/${causeKey(cause)}/${receiverId}`);

const SHARDS = 4;

/** All shards. */
export const DELIVERY_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** The shard of the stream that holds all events of a cause, and of its series. */
export const shardOf = ({ cause, series }: { cause: Cause; series: string | null }): string =>
  (derivedId(series === null ? causeKey(cause) : `series/${series}`).charCodeAt(0) % SHARDS).toString();
