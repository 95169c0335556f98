import type { Logger } from 'pino';
import { causeOf } from '../projections/engine/status/error-cause.ts';
import type { EngineLogLine } from '../projections/engine/status/protocol.ts';
import { ReadModelUnavailable } from '../projections/readers.ts';
import type { Clock } from '../network/clock.ts';

/**
 * Milliseconds without a report after which a problem counts as solved. All failed operations are retried at shorter
 * intervals than this.
 */
const QUIET_MS = 10_000;

/** Logs problems of operations that are being retried. */
export interface TroubleLog {
  /**
   * Reports a failure.
   *
   * @param what a sentence, which must be the same each time: `Cannot schedule checks.`
   * @param error an error, or its serialised form from another thread
   */
  report: (what: string, error: unknown) => void;
  /** Forgets all problems. */
  stop: () => void;
}

/** The failures that have the same cause. */
interface Trouble {
  began: number;
  last: number;
  times: number;
  cancel: () => void;
}

/**
 * Common causes, by the names of errors. If several stores that share a MongoDB or a disk fail, the cause is that
 * MongoDB or that disk.
 */
const SHARED = new Map([
  ['CoordinationUnavailable', 'read models, coordination and keys'],
  ['ReadStoreUnavailable', 'read models, coordination and keys'],
  ['KeysUnavailable', 'read models, coordination and keys'],
  // If another process updates the read models, a late read model may be the only sign in this process that a store
  // does not respond.
  ['ReadModelLate', 'read models, coordination and keys'],
  ['StoreUnavailable', 'logs'],
  ['NoResponse', 'logs'],
]);

/**
 * Creates a log of problems. Each problem is logged when it begins and when it ends, with its cause. All failures with
 * the same cause count as one problem, however often the operations are retried, because a line for each attempt would
 * fill the disk and hide other problems.
 */
export const createTroubleLog = (
  logger: Pick<Logger, 'debug' | 'warn'>,
  clock: Pick<Clock, 'monotonic' | 'after'>,
): TroubleLog => {
  const troubles = new Map<string, Trouble>();

  const end = (cause: string, reason: string, { began, last, times }: Trouble): void => {
    troubles.delete(cause);
    // A single failure already has its log line, so no summary is needed.
    if (times === 1) return;
    const seconds = Math.round((last - began) / 1_000);
    logger.warn({ reason, seconds, times }, 'The failed operations work again.');
  };

  return {
    report: (what, error) => {
      // A read model that is still being built is not a problem.
      if (error instanceof ReadModelUnavailable) {
        logger.debug({ err: error }, what);
        return;
      }
      const { name, message: reason } = causeOf(error);
      const cause = SHARED.get(name) ?? reason;
      const now = clock.monotonic();
      const trouble = troubles.get(cause) ?? { began: now, last: now, times: 0, cancel: () => undefined };
      if (trouble.times === 0) {
        const fields = error instanceof Error ? { err: error } : { reason };
        logger.warn(fields, `${what} Retrying; further failures for this reason are not logged.`);
      }
      troubles.set(cause, trouble);
      trouble.times += 1;
      trouble.last = now;
      trouble.cancel();
      trouble.cancel = clock.after(QUIET_MS, () => {
        end(cause, reason, trouble);
      });
    },

    stop: () => {
      for (const { cancel } of troubles.values()) cancel();
      troubles.clear();
    },
  };
};

/** Returns a function that logs the messages of the projection engine. */
export const engineLog =
  (logger: Logger, troubles: TroubleLog) =>
  ({ level, message, fields, cause }: EngineLogLine): void => {
    if (cause) troubles.report(message, cause);
    else logger[level](fields, message);
  };
