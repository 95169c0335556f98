import { MAX_DELAY_MS, START_GRACE_MS, timeLimitOf, type RunDefinition } from '../domain/check/run.ts';
import type { QueuedRun } from '../stores/work-queue/port.ts';

/** The payload of a {@link QueuedRun}: what a worker needs to run a check and to store the result. */
export interface RunMessage {
  /** null for an unstored definition */
  check_id: string | null;
  organization_id: string;
  /** when the run was due, milliseconds since 1970 */
  slot: number;
  result_type: 'regular' | 'on_demand';
  /** the job of an on-demand run */
  execution_id: string | null;
  /** of multi-region runs */
  execution_group_id: string | null;
  /** of multi-region runs, milliseconds since 1970: a result recorded later is late */
  answer_by: number | null;
  /** it may have been offered before, in another message, and have a result */
  again?: true;
  /** seconds between the runs of the check; absent: an unstored definition, or a message of an older release */
  interval?: number;
  definition: RunDefinition;
}

export const messageOf = (run: QueuedRun): RunMessage => run.payload as RunMessage;

/** How long after its start an unreported run counts as ended, milliseconds: it may be repeated once. */
export const maxDurationOf = (definition: RunDefinition): number => 2 * timeLimitOf(definition) + 1_000;

/** When an unreported run counts as ended, whenever it started. Milliseconds since 1970. */
export const expiresAt = (notAfter: number, definition: RunDefinition): number => notAfter + maxDurationOf(definition);

/**
 * Whether a failed run is repeated once before it counts: a scheduled run in one region, if the definition requests it
 * (docs/reference/checks.md#retry).
 */
export const mayRepeat = ({ definition, result_type, execution_group_id }: RunMessage): boolean =>
  definition.parameters['retry_enabled'] === true && result_type === 'regular' && execution_group_id === null;

/**
 * When a result is late, milliseconds since 1970: it is stored but changes nothing (docs/develop/runners.md#status-of-a-check). A run
 * on demand may wait before it starts, and one that may be repeated takes its timeout twice.
 */
export const lateAfter = (message: RunMessage): number => {
  const { slot, answer_by, result_type, definition } = message;
  if (answer_by !== null) return answer_by;
  const waiting = result_type === 'on_demand' ? START_GRACE_MS : 0;
  const probing = timeLimitOf(definition) * (mayRepeat(message) ? 2 : 1);
  return slot + waiting + probing + MAX_DELAY_MS;
};
