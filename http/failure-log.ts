import type { Logger } from 'pino';

/** Milliseconds for which further failures with the same reason are counted instead of logged. */
const PERIOD_MS = 60_000;
/** Maximum number of reasons that are remembered. Reasons come from stores and not from clients, so there are few. */
const MOST_REASONS = 100;

/** Logs a request whose response has a status of 500 or above. */
export type LogFailure = (failure: { requestId: string; status: number; error: unknown }) => void;

/**
 * Logs failed requests. Each unexpected error is logged with its stack. While a store or a read model is unavailable
 * (503), for example because a disk is full, hundreds of requests may fail for the same reason. Such a reason is logged
 * only once a minute, with the number of failures since then, so that the log does not fill the disk. The ordinary log
 * line of each request still shows its status.
 *
 * @param now returns the monotonic time, in milliseconds
 */
export const createFailureLog = (
  logger: Pick<Logger, 'error' | 'warn'>,
  now: () => number = () => performance.now(),
): LogFailure => {
  const logged = new Map<string, { at: number; since: number }>();
  return ({ requestId, status, error }) => {
    if (status !== 503) {
      logger.error({ requestId, err: error }, 'a request failed');
      return;
    }
    const reason = reasonIn(error);
    const last = logged.get(reason);
    const time = now();
    if (last && time - last.at < PERIOD_MS) {
      last.since += 1;
      return;
    }
    logged.delete(reason);
    const [oldest] = logged.keys();
    if (oldest !== undefined && logged.size >= MOST_REASONS) logged.delete(oldest);
    logged.set(reason, { at: time, since: 0 });
    const before = last && last.since > 0 ? { before: last.since } : {};
    logger.warn(
      { requestId, reason, ...before },
      'requests fail because a component is unavailable; further failures with this reason are logged once a minute',
    );
  };
};

const reasonIn = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
};

const logs = new WeakMap<object, LogFailure>();

/** Returns the failure log of a logger. All endpoints of a process share it. */
export const failureLogOf = (logger: Pick<Logger, 'error' | 'warn'>): LogFailure => {
  const known = logs.get(logger) ?? createFailureLog(logger);
  logs.set(logger, known);
  return known;
};
