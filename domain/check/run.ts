import type { CheckTypeName, StoredParameters } from './events.ts';
import { checkTypeOf } from './types/index.ts';

/** How long after its slot and time limit a scheduled run may still begin; one on demand, after its slot. */
export const START_GRACE_MS = 60_000;

/** How long after a run's time limit its result still counts (design.md: Running checks). */
export const LATE_MS = 10_000;

/** A definition as it is sent to a worker: its texts are sealed. */
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
 * How long one run may take in a region, in whole milliseconds: its timeout, or for a portscan its
 * `host_timeout` (decisions.md: Checks).
 */
export const timeLimitOf = ({
  type,
  timeout,
  parameters,
}: Pick<RunDefinition, 'type' | 'timeout' | 'parameters'>): number => checkTypeOf(type).timeLimit(timeout, parameters);

/** A run to start: of a check or of a definition that is not stored, in one region or several. */
export interface RunToStart {
  /** the same id again starts nothing twice: the ids of results and group are derived from it */
  run_id: string;
  /** null for a definition that is not stored */
  check_id: string | null;
  organization_id: string;
  definition: RunDefinition;
  /** seconds between runs of the check, whose regions take turns; null for a definition that is not stored */
  interval: number | null;
  /** when the run was due or requested, milliseconds since 1970 */
  slot: number;
  trigger:
    | { type: 'scheduled' }
    /** `user_id`: null if no person's key requested it */
    | { type: 'on_demand'; job_id: string; user_id: string | null };
  /** it may have been started before, as far as the caller knows */
  again?: boolean;
  /** for a parallel run whose group has begun, so only the regions that have not answered run */
  begun?: BegunGroup;
}

/** How far a parallel run had got when it is started again. */
export interface BegunGroup {
  /** milliseconds since 1970 */
  deadline: number;
  /** ids of the regions whose results are stored */
  answered: readonly string[];
}

/** Where a run was sent, and the ids of its results. */
export interface StartedRun {
  run_id: string;
  /** of a parallel run */
  execution_group_id: string | null;
  /** ids of the regions that run, with the id that each result will have */
  regions: readonly { region: string; result_id: string }[];
  /** how many of the regions took it; the queues of the others are full */
  offered: number;
  /** milliseconds since 1970: a run that has not begun by then never will; for a parallel run its deadline */
  not_after: number;
}

/**
 * Starts a run: offers one message to the region whose turn it is; or, if the definition asks for
 * several at once, stores the beginning of an execution group and then offers a message to each. A run that
 * is started again, because the fate of its messages is unknown, has the same results.
 *
 * @throws QueueFull no region took it
 * @throws StoreUnavailable the beginning of the group could not be stored
 */
export type StartRun = (run: RunToStart) => Promise<StartedRun>;
