import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { HeartbeatFields } from '../heartbeat/events.ts';
import { derivedId } from '../identity.ts';

/** `success`: the job is done; `start`: it has begun; `fail`: it failed. */
export const PingKind = Type.Union([Type.Literal('success'), Type.Literal('start'), Type.Literal('fail')]);
export type PingKind = Static<typeof PingKind>;

/** When pings of a heartbeat are expected. */
export const Timing = Type.Object({
  ...Type.Pick(HeartbeatFields, ['period_seconds', 'schedule', 'time_zone', 'grace_seconds', 'max_duration'])
    .properties,
  /** counts the changes of when pings are expected, from 1: a ping may be stored after a change that it did not know */
  number: Type.Integer({ minimum: 1 }),
  /** what came before does not make it late: when it was created, changed, or last resumed */
  from: InstantSchema,
});
export type Timing = Static<typeof Timing>;

const ids = { heartbeat_id: Type.String(), organization_id: Type.String() };

/**
 * Pings of heartbeats, in `heartbeat_pings-{shard}` of the results log. Address and user agent of the client are in
 * the metadata, sealed. All that lateness depends on is in this log, so a list that is made from it can tell by itself
 * who is late.
 */
export const heartbeatPingEvents = {
  HeartbeatPinged: {
    version: 1,
    data: Type.Object({
      ...ids,
      ping_id: Type.String(),
      kind: PingKind,
      received_at: InstantSchema,
      /** number of the timing that it was received under */
      timing: Type.Integer({ minimum: 1 }),
      /** when the next one is expected, if nothing else comes; null: it is paused */
      expected_at: Type.Union([InstantSchema, Type.Null()]),
      /** when it will be late */
      down_at: Type.Union([InstantSchema, Type.Null()]),
      /** seconds; absent: the job may take any time */
      max_duration: Type.Optional(Type.Integer({ minimum: 1 })),
      /** that its heartbeat was known to be down; absent: it was not, or nobody had noticed yet */
      while_down: Type.Optional(Type.Literal(true)),
      /** the JSON value that was sent, or `{ text }`; absent: nothing was sent */
      ping_data: Type.Optional(Type.Unknown()),
    }),
  },
  /** Pings are expected at other times; also says again what is expected before retention forgets it. */
  HeartbeatRescheduled: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** of the timing, or of the pause or deletion that ends it */
      number: Type.Integer({ minimum: 1 }),
      /** null: it is paused or deleted, and nothing is expected */
      timing: Type.Union([Timing, Type.Null()]),
      /** what retention would forget; absent for a change */
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

/** The shard of the stream that holds all pings of a heartbeat. */
export const pingShardOf = (heartbeatId: string): string =>
  (derivedId(`pings/${heartbeatId}`).charCodeAt(0) % SHARDS).toString();
