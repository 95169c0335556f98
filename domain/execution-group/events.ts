import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { derivedId } from '../identity.ts';

/**
 * `all`: the check runs in all of its regions; `random_n`: in a random subset
 * (docs/reference/regions.md#parallel-runs).
 */
export const ExecutionMode = Type.Union([Type.Literal('all'), Type.Literal('random_n')]);
export type ExecutionMode = Static<typeof ExecutionMode>;

export const ExecutionType = Type.Union([Type.Literal('scheduled'), Type.Literal('on_demand')]);
export type ExecutionType = Static<typeof ExecutionType>;

const group = {
  execution_group_id: Type.String(),
  /** absent if the request contained the definition, so that the run belongs to no stored check */
  check_id: Type.Optional(Type.String()),
  organization_id: Type.String(),
};

/**
 * Events of multi-region runs, in `execution_groups-{shard}` of the results log: the start, the timeout and the
 * cancellation of a run. The results of the regions are in the same log and contain the id of the group. The state of a
 * group is the fold of these events and of the results.
 */
export const executionGroupEvents = {
  /** Appended before the run is sent to any region. */
  ExecutionGroupStarted: {
    version: 2,
    data: Type.Object({
      ...group,
      execution_mode: ExecutionMode,
      execution_type: ExecutionType,
      run_id: Type.String(),
      /** when the run was due */
      slot: InstantSchema,
      /** ids of the regions of the run, each once */
      regions: Type.Array(Type.String(), { minItems: 1 }),
      /** the deadline; results that are recorded later are ignored */
      timeout_at: InstantSchema,
      /**
       * Ids of the regions that had no live runner at the start. The run does not wait for them. Absent: all regions
       * had a live runner.
       */
      unserved: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
      /** id of the job that requested the run; only for an on-demand run */
      execution_id: Type.Optional(Type.String()),
      triggered_by_user_id: Type.Optional(Type.String()),
    }),
  },
  /** The deadline passed before all regions had reported a result. */
  ExecutionGroupTimedOut: {
    version: 2,
    data: Type.Object({
      ...group,
      /**
       * ids of the regions without a live runner at the deadline; absent: all regions had a live runner, or this was
       * not recorded
       */
      unserved: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    }),
  },
  /** The check was changed during the run. The group counts as if it had never started. */
  ExecutionGroupCancelled: { version: 1, data: Type.Object(group) },
} as const satisfies EventDefinitions;

export type ExecutionGroupEvent = EventsOf<typeof executionGroupEvents>;

/**
 * How long a group waits, after its deadline, for results that the service received before the deadline, in
 * milliseconds. Several results share one append, so a result may be stored a moment after it is received.
 */
export const STORING_GRACE_MS = 1_000;

/**
 * How long a group waits for results after the timeout of its run, in milliseconds
 * (docs/reference/regions.md#deadline-of-a-group).
 */
export const GROUP_GRACE_MS = 30_000;

/** Returns the id of the group of a multi-region run, derived from the run's id. */
export const groupIdOf = (runId: string): string => derivedId(`execution group/${runId}`);

const SHARDS = 4;

/** Names of all shards. */
export const GROUP_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** Returns the shard of a group's stream, derived from the group's id. */
export const shardOf = (groupId: string): string => (groupId.charCodeAt(0) % SHARDS).toString();

/** The data of the event that starts a multi-region run. */
export type ExecutionGroupStarted = Extract<ExecutionGroupEvent, { type: 'ExecutionGroupStarted' }>['data'];
