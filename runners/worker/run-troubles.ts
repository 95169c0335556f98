import type { Logger } from 'pino';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Clock } from '../../network/clock.ts';

/** If no run has failed for a certain reason during this time, the problem counts as solved. Milliseconds. */
const QUIET_MS = 60_000;
/** Maximum number of reasons that are distinguished. Runs with further reasons are counted together. */
const MAX_REASONS = 50;
const OTHERS = 'others';

export interface RunTroubles {
  /** Reports a run that could not be executed, or whose result could not be stored. */
  report: (run: { run_id: string; region: string }, error: unknown) => void;
  /** Clears all troubles without logging them. */
  stop: () => void;
}

/**
 * Logs why runs cannot be executed. Each reason is logged once when it first occurs, and once when it no longer occurs,
 * with the number of runs. A line for each run would fill a disk, because one reason usually concerns all runs, and
 * runs are retried.
 */
export const createRunTroubles = (logger: Logger, clock: Pick<Clock, 'after'>): RunTroubles => {
  const troubles = new Map<string, { runs: number; cancel: () => void }>();

  const over = (reason: string): void => {
    const runs = troubles.get(reason)?.runs ?? 0;
    troubles.delete(reason);
    if (runs > 1)
      logger.warn(
        { runs, reason },
        `checks could not be run ${runs} times; there was no further failure in the last minute`,
      );
  };

  const scheduleEnd = (reason: string): (() => void) =>
    clock.after(QUIET_MS, () => {
      over(reason);
    });

  return {
    report: ({ run_id, region }, error) => {
      const words = error instanceof Error ? error.message : String(error);
      const reason = troubles.has(words) || troubles.size < MAX_REASONS ? words : OTHERS;
      const known = troubles.get(reason);
      if (known) {
        known.runs += 1;
        known.cancel();
        known.cancel = scheduleEnd(reason);
        return;
      }
      troubles.set(reason, { runs: 1, cancel: scheduleEnd(reason) });
      // The stack of a LocalFailure is useless, but its cause may help.
      const why =
        error instanceof LocalFailure
          ? { reason: words, ...(error.cause !== undefined && { err: error.cause }) }
          : { err: error };
      logger.warn(
        { ...why, runId: run_id, region },
        'a check could not be run; further ones for this reason are only counted',
      );
    },
    stop: () => {
      for (const { cancel } of troubles.values()) cancel();
      troubles.clear();
    },
  };
};
