import type { Logger } from 'pino';

/** How long further failures for a reason are counted instead of logged, milliseconds. */
const PERIOD_MS = 60_000;
/** Reasons that are told apart; they come from stores, not from clients. */
const MOST_REASONS = 100;

/** Logs a request that was answered with 500 or more. */
export type LogFailure = (failure: { requestId: string; status: number; error: unknown }) => void;

/**
 * A line with its stack for each defect. Where a store or a read model does not answer (503), as on a full disk, requests
 * fail by the hundred for one reason, which has one line a minute, with how many there were since the last one: a line
 * for each would fill the disk of the log. Every request has its own line with its status anyway.
 *
 * @param now monotonic time, milliseconds
 */
export const createFailureLog = (
  logger: Pick<Logger, 'error' | 'warn'>,
  now: () => number = () => performance.now(),
): LogFailure => {
  const told = new Map<string, { at: number; since: number }>();
  return ({ requestId, status, error }) => {
    if (status !== 503) {
      logger.error({ requestId, err: error }, 'a request failed');
      return;
    }
    const reason = reasonIn(error);
    const last = told.get(reason);
    const time = now();
    if (last && time - last.at < PERIOD_MS) {
      last.since += 1;
      return;
    }
    told.delete(reason);
    const [oldest] = told.keys();
    if (oldest !== undefined && told.size >= MOST_REASONS) told.delete(oldest);
    told.set(reason, { at: time, since: 0 });
    const before = last && last.since > 0 ? { before: last.since } : {};
    logger.warn(
      { requestId, reason, ...before },
      'requests can not be answered at present; others that fail for this reason are counted, and told once a minute',
    );
  };
};

const reasonIn = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
};

const logs = new WeakMap<object, LogFailure>();

/** The failure log of a process's logger, which all its endpoints share. */
export const failureLogOf = (logger: Pick<Logger, 'error' | 'warn'>): LogFailure => {
  const known = logs.get(logger) ?? createFailureLog(logger);
  logs.set(logger, known);
  return known;
};
