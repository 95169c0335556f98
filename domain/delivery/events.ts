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
 * there is no longer a receiver, or anything to tell.
 */
const GivenUpBecause = Type.Union([
  Type.Literal('permanent'),
  Type.Literal('exhausted'),
  Type.Literal('expired'),
  Type.Literal('withdrawn'),
]);
export type GivenUpBecause = Static<typeof GivenUpBecause>;

const delivery = { delivery_id: Type.String(), organization_id: Type.String(), cause: Cause };

/**
 * Messages, each for one receiver, and their outcomes, in `deliveries-{shard}` of the results log.
 * All events of a cause are in one stream, so they keep their order. They contain neither texts nor addresses:
 * both are looked up at each try, so a receiver who has moved or left is respected.
 */
export const deliveryEvents = {
  DeliveryPlanned: {
    version: 1,
    data: Type.Object({
      ...delivery,
      receiver_id: Type.String(),
      /** name of its notifier (notifiers/index.ts) */
      notifier: Type.String(),
      /** deliveries with the same value share a limit; does not reveal the target (HMAC of the host) */
      target: Type.String(),
      /** whom it was for, as shown to people, sealed under the key of the receiver */
      recipient: Type.Optional(Sealed),
      /** from then on it is no longer worth telling */
      not_after: InstantSchema,
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
export type FanOutAdvanced = DataOf<'FanOutAdvanced'>;

/** A cause in one text. */
export const causeKey = ({ kind, id }: Cause): string => `${kind}/${id}`;

/** The delivery of a cause to a receiver; there is one of each. */
export const deliveryIdOf = (cause: Cause, receiverId: string): string =>
  derivedId(`delivery/${causeKey(cause)}/${receiverId}`);

const SHARDS = 4;

/** All shards. */
export const DELIVERY_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** The shard of the stream that holds all events of a cause. */
export const shardOf = (cause: Cause): string => (derivedId(causeKey(cause)).charCodeAt(0) % SHARDS).toString();
