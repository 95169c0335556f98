import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { HeartbeatFields } from '../heartbeat/events.ts';
import { derivedId } from '../identity.ts';

/** `success`: the job succeeded; `start`: it started; `fail`: it failed. */
export const PingKind = Type.Union([Type.Literal('success'), Type.Literal('start'), Type.Literal('fail')]);
export type PingKind = Static<typeof PingKind>;

/** When pings of a heartbeat are expected. */
export const Timing = Type.Object({
  ...Type.Pick(HeartbeatFields, ['period_seconds', 'schedule', 'time_zone', 'grace_seconds', 'max_duration'])
    .properties,
  /** version of the timing, from 1: a ping may be stored after a change that its receiver did not know yet */
  number: Type.Integer({ minimum: 1 }),
  /** when it was created, changed, or last resumed: earlier expectations do not make the heartbeat late */
  from: InstantSchema,
});
export type Timing = Static<typeof Timing>;

const ids = { heartbeat_id: Type.String(), organization_id: Type.String() };

/**
 * Pings of heartbeats, in `heartbeat_pings-{shard}` of the results log. The metadata contains the sealed address and user
 * agent of the client. This log contains everything that lateness depends on, so a projection of it alone can find late
 * heartbeats.
 */
export const heartbeatPingEvents = {
  HeartbeatPinged: {
    version: 1,
    data: Type.Object({
      ...ids,
      ping_id: Type.String(),
      kind: PingKind,
      received_at: InstantSchema,
      /** number of the timing under which it was received */
      timing: Type.Integer({ minimum: 1 }),
      /** when the next ping is expected; null: the heartbeat is paused */
      expected_at: Type.Union([InstantSchema, Type.Null()]),
      /** when the heartbeat goes down without another ping */
      down_at: Type.Union([InstantSchema, Type.Null()]),
      /** seconds; absent: unlimited */
      max_duration: Type.Optional(Type.Integer({ minimum: 1 })),
      /** its heartbeat was known to be down; absent: it was not down, or that was not detected yet */
      while_down: Type.Optional(Type.Literal(true)),
      /** the JSON value that was sent, or `{ text }`; absent for an empty body */
      ping_data: Type.Optional(Type.Unknown()),
    }),
  },
  /** The timing changed; also repeats the current expectation before retention removes the ping that it comes from. */
  HeartbeatRescheduled: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** number of the timing, or of the pause or deletion that ends it */
      number: Type.Integer({ minimum: 1 }),
      /** null: paused or deleted, so no ping is expected */
      timing: Type.Union([Timing, Type.Null()]),
      /** the expectation that retention would remove; absent for a change */
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

/** All shards. */
export const PING_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** The shard of the stream with all pings of a heartbeat. */
export const pingShardOf = (heartbeatId: string): string =>
  (derivedId(`pings/${heartbeatId}`).charCodeAt(0) % SHARDS).toString();
