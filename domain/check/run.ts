import type { CheckTypeName, StoredParameters } from './events.ts';
import { checkTypeOf } from './types/index.ts';

/**
 * How late after its slot a run is allowed to start, in milliseconds. For a scheduled run, the time limit of the run is
 * added.
 */
export const START_GRACE_MS = 60_000;

/**
 * How long after the timeout of a run its result can still change the status of the check, in milliseconds
 * (docs/develop/runners.md#status-of-a-check).
 */
export const MAX_DELAY_MS = 10_000;

/** A definition as a worker receives it. Its secrets are sealed. */
export interface RunDefinition {
  type: CheckTypeName;
  url: string | null;
  host: string | null;
  port: number | null;
  /** seconds, possibly with a fraction */
  timeout: number;
  parameters: StoredParameters;
}

/**
 * Returns the maximum duration of a run in a region, in whole milliseconds. This is the `timeout`, or the
 * `host_timeout` of a portscan (docs/reference/portscan-checks.md#time-limit).
 */
export const timeLimitOf = ({
  type,
  timeout,
  parameters,
}: Pick<RunDefinition, 'type' | 'timeout' | 'parameters'>): number => checkTypeOf(type).timeLimit(timeout, parameters);

/** A run that is to be started in one or several regions. It runs a check, or a definition without a check. */
export interface RunToStart {
  /** The idempotency key. The ids of the results and of the execution group are derived from this id. */
  run_id: string;
  /** null for a definition without a check */
  check_id: string | null;
  organization_id: string;
  definition: RunDefinition;
  /**
   * Seconds between runs of the check. The interval and the slot determine the region. Null for a definition without a
   * check.
   */
  interval: number | null;
  /** when the run was due or requested, milliseconds since 1970 */
  slot: number;
  trigger:
    | { type: 'scheduled' }
    /** `user_id`: null if the run was not requested with the API key of a user */
    | { type: 'on_demand'; job_id: string; user_id: string | null };
  /** whether the run might have been started before */
  again?: boolean;
  /**
   * Present if the execution group of a multi-region run was already started. In this case, the run is started only in
   * the regions without a stored result.
   */
  begun?: StartedGroup;
}

/** The progress of a multi-region run that was already started and is started again. */
export interface StartedGroup {
  /** milliseconds since 1970 */
  deadline: number;
  /** ids of the regions whose results are stored */
  answered: readonly string[];
}

/** A started run: its regions and the ids of its results. */
export interface StartedRun {
  run_id: string;
  /** null unless the run is a multi-region run */
  execution_group_id: string | null;
  /** the ids of the regions, each with the id of its result */
  regions: readonly { region: string; result_id: string }[];
  /** how many regions accepted the run; the queues of the other regions are full */
  offered: number;
  /**
   * the latest time at which the run is allowed to start, or the deadline of a multi-region run; milliseconds since
   * 1970
   */
  not_after: number;
}

/**
 * Starts a run. A run in one region is sent to the queue of the next region of the rotation. For a multi-region run,
 * the start of an execution group is stored first, and then the run is sent to the queue of each region. If it is
 * unknown whether a queue accepted the run, the caller can start the run again: the ids of the results are the same.
 *
 * @throws QueueFull the queues of all regions are full
 * @throws StoreUnavailable the start of the group could not be stored
 */
export type StartRun = (run: RunToStart) => Promise<StartedRun>;
