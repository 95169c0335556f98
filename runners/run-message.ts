import { MAX_DELAY_MS, START_GRACE_MS, timeLimitOf, type RunDefinition } from '../domain/check/run.ts';
import type { QueuedRun } from '../stores/work-queue/port.ts';

/** The payload of a {@link QueuedRun}. It contains what a worker needs to run a check and to store the result. */
export interface RunMessage {
  /** null if the definition belongs to no check */
  check_id: string | null;
  organization_id: string;
  /** when the run was due, milliseconds since 1970 */
  slot: number;
  result_type: 'regular' | 'on_demand';
  /** id of the job that requested the run; null for a scheduled run */
  execution_id: string | null;
  /** null for a run in one region */
  execution_group_id: string | null;
  /**
   * for a multi-region run: the time after which a recorded result counts as late, milliseconds since 1970; null for
   * other runs
   */
  answer_by: number | null;
  /** the run may have been offered before in another message, so it may already have a result */
  again?: true;
  /**
   * seconds between the runs of the check; absent if the definition belongs to no check, or in a message of an older
   * release
   */
  interval?: number;
  definition: RunDefinition;
}

export const messageOf = (run: QueuedRun): RunMessage => run.payload as RunMessage;

/**
 * Returns the time after its start at which a run without a report counts as ended, in milliseconds. The timeout counts
 * twice, because the run may be repeated once.
 */
export const maxDurationOf = (definition: RunDefinition): number => 2 * timeLimitOf(definition) + 1_000;

/**
 * Returns when a run without a report counts as ended, even if it started as late as `notAfter`. Milliseconds since
 * 1970.
 */
export const expiresAt = (notAfter: number, definition: RunDefinition): number => notAfter + maxDurationOf(definition);

/**
 * Returns whether a failed run is repeated, so that a failure counts only if the repetition fails too. This applies to
 * scheduled runs in one region if the definition requests it (docs/reference/checks.md#retry).
 */
export const mayRepeat = ({ definition, result_type, execution_group_id }: RunMessage): boolean =>
  definition.parameters['retry_enabled'] === true && result_type === 'regular' && execution_group_id === null;

/**
 * Returns the time after which a result is late, in milliseconds since 1970. A late result is stored but changes
 * nothing (docs/develop/runners.md#status-of-a-check). The limit is later in two cases: an on-demand run may wait
 * before it starts, and a run that may be repeated can take twice its timeout.
 */
export const lateAfter = (message: RunMessage): number => {
  const { slot, answer_by, result_type, definition } = message;
  if (answer_by !== null) return answer_by;
  const waiting = result_type === 'on_demand' ? START_GRACE_MS : 0;
  const probing = timeLimitOf(definition) * (mayRepeat(message) ? 2 : 1);
  return slot + waiting + probing + MAX_DELAY_MS;
};
