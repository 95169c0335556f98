import type { Logger } from 'pino';
import { causeOf } from '../projections/engine/status/error-cause.ts';
import type { EngineLogLine } from '../projections/engine/status/protocol.ts';
import { ReadModelUnavailable } from '../projections/readers.ts';
import type { Clock } from '../network/clock.ts';

/** A trouble that is not reported for this long is over: everything is retried more often than that. Milliseconds. */
const QUIET_MS = 10_000;

/** Logs what currently fails and is being retried. */
export interface TroubleLog {
  /**
   * Reports a failure.
   *
   * @param what a sentence, the same each time: `Cannot schedule checks.`
   * @param error an error, or its serialized form from another thread
   */
  report: (what: string, error: unknown) => void;
  /** Clears all troubles. */
  stop: () => void;
}

/** The ongoing failures of one cause. */
interface Trouble {
  began: number;
  last: number;
  times: number;
  cancel: () => void;
}

/** Errors of stores in one place have one cause: MongoDB, or the disk. */
const SHARED = new Map([
  ['CoordinationUnavailable', 'read models, coordination and keys'],
  ['ReadStoreUnavailable', 'read models, coordination and keys'],
  ['KeysUnavailable', 'read models, coordination and keys'],
  // If another process folds, an unresponsive store may be visible here only as a late read model.
  ['ReadModelLate', 'read models, coordination and keys'],
  ['StoreUnavailable', 'logs'],
  ['NoResponse', 'logs'],
]);

/**
 * Logs a trouble once when it begins and once when it ends, with its cause. All failures with the same cause are one
 * trouble, however often they are retried: a line for each attempt would fill a disk and hide the others.
 */
export const createTroubleLog = (
  logger: Pick<Logger, 'debug' | 'warn'>,
  clock: Pick<Clock, 'monotonic' | 'after'>,
): TroubleLog => {
  const troubles = new Map<string, Trouble>();

  const end = (cause: string, reason: string, { began, last, times }: Trouble): void => {
    troubles.delete(cause);
    // The log line of a single failure is sufficient.
    if (times === 1) return;
    const seconds = Math.round((last - began) / 1_000);
    logger.warn({ reason, seconds, times }, 'The failed operations work again.');
  };

  return {
    report: (what, error) => {
      // A read model that is still being built is not a trouble.
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

/** Logs the messages of the engine. */
export const engineLog =
  (logger: Logger, troubles: TroubleLog) =>
  ({ level, message, fields, cause }: EngineLogLine): void => {
    if (cause) troubles.report(message, cause);
    else logger[level](fields, message);
  };
