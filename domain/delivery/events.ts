import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { derivedId } from '../identity.ts';
import { Sealed } from '../sealed.ts';

/** What somebody is told of: an update of an incident, an alert, a report. */
export const Cause = Type.Object({
  /** says who knows its receivers and its words (reactors/delivery/cause.ts): `incident_update` */
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
  /** what the target answered, as its protocol numbers answers; null where it did not or has no numbers */
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
 * Why nothing more is tried: the target refused for good; the last try has failed; its last moment has passed;
 * there is nobody to receive it, or nothing to be told, any more.
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
 * Messages that are to reach a receiver each, and what became of them, in `deliveries-{shard}` of the results log.
 * All events of a cause stand in one stream, so that they keep their order. Neither words nor addresses stand in
 * them: both are asked for at each try, so that a receiver who has moved or left is minded.
 */
export const deliveryEvents = {
  DeliveryPlanned: {
    version: 1,
    data: Type.Object({
      ...delivery,
      receiver_id: Type.String(),
      /** name of what delivers it (notifiers/index.ts) */
      notifier: Type.String(),
      /** what shares a limit with others that have the same: tells nobody where it is (HMAC of the host) */
      target: Type.String(),
      /** whom it was for, as people are shown it, under the key of the receiver */
      recipient: Type.Optional(Sealed),
      /** from then on it is not worth telling any more */
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
      /** the last one, where that has failed just now */
      attempt: Type.Optional(Attempt),
    }),
  },
  /** a person wants it to be tried again, after it was given up */
  DeliveryRetried: {
    version: 1,
    data: Type.Object({
      ...delivery,
      /** counts from 1 */
      retry: Type.Integer({ minimum: 1 }),
      not_after: InstantSchema,
    }),
  },
  /** deliveries to a page of the receivers of a cause stand right before it, in the same append */
  FanOutAdvanced: {
    version: 1,
    data: Type.Object({
      organization_id: Type.String(),
      cause: Cause,
      /** when its first page was planned */
      begun_at: InstantSchema,
      /** counts from 1 */
      page: Type.Integer({ minimum: 1 }),
      /** the last receiver of the page; null where there was none */
      after: Type.Union([Type.String(), Type.Null()]),
      /** deliveries of all pages so far */
      planned: Type.Integer({ minimum: 0 }),
      /** nobody is left to be planned for */
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
