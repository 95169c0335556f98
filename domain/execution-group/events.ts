import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { derivedId } from '../identity.ts';

/** `all` regions that a check names, or a random subset of them (spec.md: multi_region_execution). */
export const ExecutionMode = Type.Union([Type.Literal('all'), Type.Literal('random_n')]);
export type ExecutionMode = Static<typeof ExecutionMode>;

export const ExecutionType = Type.Union([Type.Literal('scheduled'), Type.Literal('on_demand')]);
export type ExecutionType = Static<typeof ExecutionType>;

const group = {
  execution_group_id: Type.String(),
  /** absent for a definition that is not stored */
  check_id: Type.Optional(Type.String()),
  organization_id: Type.String(),
};

/**
 * Beginnings and ends of parallel runs, in `execution_groups-{shard}` of the results log. The answers of its
 * regions are the results that carry its id, in the same log; a group is the fold of both.
 */
export const executionGroupEvents = {
  /** before any of its regions is asked to run */
  ExecutionGroupStarted: {
    version: 2,
    data: Type.Object({
      ...group,
      execution_mode: ExecutionMode,
      execution_type: ExecutionType,
      run_id: Type.String(),
      /** when the run was due */
      slot: InstantSchema,
      /** ids of the regions that are to run, each once */
      regions: Type.Array(Type.String(), { minItems: 1 }),
      /** results that are recorded later change nothing */
      timeout_at: InstantSchema,
      /**
       * ids of those of them that had no live runner then: the run ends without them. Some region always has one; absent:
       * all had
       */
      unserved: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
      /** the job of an on-demand run */
      execution_id: Type.Optional(Type.String()),
      triggered_by_user_id: Type.Optional(Type.String()),
    }),
  },
  /** its time ran out while regions were silent */
  ExecutionGroupTimedOut: {
    version: 2,
    data: Type.Object({
      ...group,
      /** ids of the regions without a live runner at that time; absent: all had one, or it was not recorded */
      unserved: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    }),
  },
  /** its check was changed meanwhile, so it says nothing: as if it had never begun */
  ExecutionGroupCancelled: { version: 1, data: Type.Object(group) },
} as const satisfies EventDefinitions;

export type ExecutionGroupEvent = EventsOf<typeof executionGroupEvents>;

/** Results wait for others to share their append; the end of a group waits for those recorded in time. */
export const STORING_GRACE_MS = 1_000;

/** How long after a run's timeout its group waits for answers (decisions.md: Checks). */
export const GROUP_GRACE_MS = 30_000;

/** The group of a parallel run; derived from the run. */
export const groupIdOf = (runId: string): string => derivedId(`execution group/${runId}`);

const SHARDS = 4;

/** All shards. */
export const GROUP_SHARDS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => shard.toString());

/** The shard of a group's stream; derived from the group's id. */
export const shardOf = (groupId: string): string => (groupId.charCodeAt(0) % SHARDS).toString();

/** A run in several regions at once has begun. */
export type ExecutionGroupStarted = Extract<ExecutionGroupEvent, { type: 'ExecutionGroupStarted' }>['data'];
