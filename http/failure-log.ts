import type { Logger } from 'pino';

/** How long further failures with the same reason are counted instead of logged, milliseconds. */
const PERIOD_MS = 60_000;
/** Maximum number of distinct reasons; reasons come from stores, not from clients. */
const MOST_REASONS = 100;

/** Logs a request whose response was 500 or above. */
export type LogFailure = (failure: { requestId: string; status: number; error: unknown }) => void;

/**
 * Logs each unexpected error with its stack. While a store or a read model is unavailable (503), as on a full disk,
 * hundreds of requests may fail for the same reason: that is logged once a minute, with the number of failures since,
 * so that the log does not fill the disk. Each request has its own line with its status anyway.
 *
 * @param now monotonic time, milliseconds
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

/** The failure log of a logger, shared by all endpoints of a process. */
export const failureLogOf = (logger: Pick<Logger, 'error' | 'warn'>): LogFailure => {
  const known = logs.get(logger) ?? createFailureLog(logger);
  logs.set(logger, known);
  return known;
};
