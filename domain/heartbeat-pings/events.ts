import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { HeartbeatFields } from '../heartbeat/events.ts';
import { derivedId } from '../identity.ts';

/** What a ping reports about a job. `success`: the job succeeded; `start`: it started; `fail`: it failed. */
export const PingKind = Type.Union([Type.Literal('success'), Type.Literal('start'), Type.Literal('fail')]);
export type PingKind = Static<typeof PingKind>;

/** The fields that determine when pings of a heartbeat are expected. */
export const Timing = Type.Object({
  ...Type.Pick(HeartbeatFields, ['period_seconds', 'schedule', 'time_zone', 'grace_seconds', 'max_duration'])
    .properties,
  /**
   * Version of the timing, from 1. A ping that is received before a change of the timing may be stored after the
   * change. Therefore each ping contains the version that was current when the ping was received.
   */
  number: Type.Integer({ minimum: 1 }),
  /** when the timing was created or changed, or the heartbeat was resumed; no ping is expected before this time */
  from: InstantSchema,
});
export type Timing = Static<typeof Timing>;

const ids = { heartbeat_id: Type.String(), organization_id: Type.String() };

/**
 * Pings of heartbeats, in `heartbeat_pings-{shard}` of the results log. The metadata contains the sealed address and
 * user agent of the client. Lateness depends only on events of this log, so a projection of this log alone can find
 * late heartbeats.
 */
export const heartbeatPingEvents = {
  HeartbeatPinged: {
    version: 1,
    data: Type.Object({
      ...ids,
      ping_id: Type.String(),
      kind: PingKind,
      received_at: InstantSchema,
      /** the version of the timing that was current when the ping was received */
      timing: Type.Integer({ minimum: 1 }),
      /** when the next ping is expected; null if the heartbeat is paused */
      expected_at: Type.Union([InstantSchema, Type.Null()]),
      /** when the heartbeat goes down unless another ping is received before then; null if the heartbeat is paused */
      down_at: Type.Union([InstantSchema, Type.Null()]),
      /** seconds; absent: unlimited */
      max_duration: Type.Optional(Type.Integer({ minimum: 1 })),
      /** true: the heartbeat was known to be down; absent: it was not down, or the downtime was not detected yet */
      while_down: Type.Optional(Type.Literal(true)),
      /** the JSON value that was sent, or `{ text }`; absent for an empty body */
      ping_data: Type.Optional(Type.Unknown()),
    }),
  },
  /**
   * The timing changed. Also appended before retention removes the ping that determined the current expectation. In
   * that case, the event repeats the expectation.
   */
  HeartbeatRescheduled: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** version of the timing; for a pause or deletion, the next version number, although there is no timing */
      number: Type.Integer({ minimum: 1 }),
      /** null: the heartbeat was paused or deleted, so that no ping is expected */
      timing: Type.Union([Timing, Type.Null()]),
      /** the expectation that retention would remove; absent if the timing changed */
      known: Type.Optional(
        Type.Object({
          ping_id: Type.String(),
          last_ping_at: InstantSchema,
          expected_at: InstantSchema,
          down_at: InstantSchema,
        }),
      ),
    }),
  },
} as const satisfies EventDefinitions;

export type HeartbeatPingEvent = EventsOf<typeof heartbeatPingEvents>;
export type HeartbeatPinged = Extract<HeartbeatPingEvent, { type: 'HeartbeatPinged' }>['data'];
export type HeartbeatRescheduled = Extract<HeartbeatPingEvent, { type: 'HeartbeatRescheduled' }>['data'];

const SHARDS = 4;

/** Names of all shards. */
export const PING_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** Returns the shard whose stream contains all pings of a heartbeat. */
export const pingShardOf = (heartbeatId: string): string =>
  (derivedId(`pings/${heartbeatId}`).charCodeAt(0) % SHARDS).toString();
