import type { CheckTypeName, StoredParameters } from './events.ts';
import { checkTypeOf } from './types/index.ts';

/** How long after its slot and timeout a scheduled run may still start; an on-demand run, after its slot. */
export const START_GRACE_MS = 60_000;

/** How long after its timeout the result of a run still counts (docs/develop/runners.md#status-of-a-check). */
export const MAX_DELAY_MS = 10_000;

/** A definition as sent to a worker, with sealed texts. */
export interface RunDefinition {
  type: CheckTypeName;
  url: string | null;
  host: string | null;
  port: number | null;
  /** seconds, with fractions */
  timeout: number;
  parameters: StoredParameters;
}

/**
 * The maximum duration of a run in a region, in whole milliseconds: its timeout, or for a portscan its
 * `host_timeout` (docs/reference/portscan-checks.md#time-limit).
 */
export const timeLimitOf = ({
  type,
  timeout,
  parameters,
}: Pick<RunDefinition, 'type' | 'timeout' | 'parameters'>): number => checkTypeOf(type).timeLimit(timeout, parameters);

/** A run to start, of a check or of a definition without a check, in one or several regions. */
export interface RunToStart {
  /** idempotency key: the ids of the results and of the group are derived from it */
  run_id: string;
  /** null for a definition without a check */
  check_id: string | null;
  organization_id: string;
  definition: RunDefinition;
  /** seconds between runs of the check, for the rotation of its regions; null for a definition without a check */
  interval: number | null;
  /** when the run was due or requested, milliseconds since 1970 */
  slot: number;
  trigger:
    | { type: 'scheduled' }
    /** `user_id`: null if it was not requested with the key of a user */
    | { type: 'on_demand'; job_id: string; user_id: string | null };
  /** it may have been started before */
  again?: boolean;
  /** for a multi-region run whose group was already started: only regions without a result run */
  begun?: StartedGroup;
}

/** The progress of a multi-region run that is started again. */
export interface StartedGroup {
  /** milliseconds since 1970 */
  deadline: number;
  /** ids of the regions whose results are stored */
  answered: readonly string[];
}

/** A started run: its regions and the ids of its results. */
export interface StartedRun {
  run_id: string;
  /** only for a multi-region run */
  execution_group_id: string | null;
  /** the ids of its regions, and the id of the result of each */
  regions: readonly { region: string; result_id: string }[];
  /** how many regions accepted it; the queues of the others are full */
  offered: number;
  /** the latest start, milliseconds since 1970; for a multi-region run, its deadline */
  not_after: number;
}

/**
 * Starts a run: sends a message to the next region of the rotation; for a multi-region run, stores the start of an
 * execution group and then sends a message to each region. If the fate of the messages is unknown, the run can be
 * started again and gets the same results.
 *
 * @throws QueueFull no region accepted it
 * @throws StoreUnavailable the start of the group could not be stored
 */
export type StartRun = (run: RunToStart) => Promise<StartedRun>;
