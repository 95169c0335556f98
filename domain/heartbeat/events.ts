import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { managedBy } from '../managed/managed-by.ts';

const seconds = Type.Integer({ minimum: 1 });
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** The fields of a heartbeat. Either `period_seconds` or `schedule` is null. */
export const HeartbeatFields = Type.Object({
  name: Type.String(),
  /** seconds between two pings */
  period_seconds: orNull(seconds),
  /** cron expression of five fields that defines when pings are expected */
  schedule: orNull(Type.String()),
  /** IANA time zone of the schedule */
  time_zone: Type.String(),
  /** grace period: how late a ping may be, in seconds */
  grace_seconds: seconds,
  /** maximum duration of a run in seconds, after which it counts as failed; null: unlimited */
  max_duration: orNull(seconds),
  /** false: the heartbeat is paused */
  active: Type.Boolean(),
  /** ids of the alert channels that are notified when the heartbeat goes down and when it recovers */
  channel_ids: Type.Array(Type.String()),
  /** sorted, without duplicates (domain/tags.ts) */
  tags: Type.Array(Type.String()),
  ...managedBy,
});
export type HeartbeatFields = Static<typeof HeartbeatFields>;

/**
 * Why a heartbeat is down. `late`: no ping was received in time. `failed`: a ping reported a failure. `took_too_long`:
 * the job ran longer than `max_duration`.
 */
export const DownBecause = Type.Union([Type.Literal('late'), Type.Literal('failed'), Type.Literal('took_too_long')]);
export type DownBecause = Static<typeof DownBecause>;

const ids = { heartbeat_id: Type.String() };

/** Events of a heartbeat, in `heartbeat-{heartbeat_id}`. Its pings are in the results log. */
export const heartbeatEvents = {
  HeartbeatCreated: {
    version: 3,
    data: Type.Object({ ...ids, created_at: InstantSchema, heartbeat: HeartbeatFields }),
  },
  HeartbeatUpdated: {
    version: 3,
    data: Type.Object({
      ...ids,
      changed_at: InstantSchema,
      changes: Type.Partial(HeartbeatFields),
      previous: Type.Partial(HeartbeatFields),
    }),
  },
  HeartbeatDeleted: { version: 1, data: Type.Object({ ...ids, deleted_at: InstantSchema }) },
  HeartbeatWentDown: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** number of the downtime, from 1 */
      number: Type.Integer({ minimum: 1 }),
      /**
       * when the heartbeat became late, or when the ping that reports the failure was received; the detection may have
       * been later
       */
      down_at: InstantSchema,
      because: DownBecause,
      /** the newest ping when the heartbeat went down */
      ping_id: Type.String(),
      last_ping_at: InstantSchema,
    }),
  },
  HeartbeatRecovered: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** number of the downtime that ends */
      number: Type.Integer({ minimum: 1 }),
      /** when the ping that ended the downtime was received */
      recovered_at: InstantSchema,
      ping_id: Type.String(),
      /** duration of the downtime in whole seconds */
      duration: Type.Integer({ minimum: 0 }),
    }),
  },
} as const satisfies EventDefinitions;

export type HeartbeatEvent = EventsOf<typeof heartbeatEvents>;
