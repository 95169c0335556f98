/** Echo requests to one address. */
export interface PingPlan {
  count: number;
  /** milliseconds between two requests */
  interval: number;
  /** milliseconds until a request counts as lost */
  timeout: number;
}

/** The check's parameters, seconds. */
export interface PingParameters {
  count: number;
  interval: number;
  timeout: number;
}

/**
 * Time of a run that is not available for waiting, milliseconds, or a third of the run's time if that is less. It
 * covers collecting runs, starting the process, and sending one packet per millisecond.
 */
const RESERVE_MS = 600;

const STEP_MS = 50;

/**
 * As many of the requested pings as fit into the time, at least one. A single one waits no longer than the remaining
 * time.
 *
 * @param left remaining time of the run, milliseconds
 * @returns null: not even one fits
 */
export const planOf = (wanted: PingParameters, left: number): PingPlan | null => {
  const available = Math.floor(left - Math.min(RESERVE_MS, left / 3));
  if (available < 1) return null;
  const [interval, asked] = [inMilliseconds(wanted.interval), inMilliseconds(wanted.timeout)];
  // A shortened timeout is rounded to steps, so that runs with almost the same time left can share a process.
  const timeout = Math.min(asked, available < STEP_MS ? available : available - (available % STEP_MS));
  const fitting = 1 + Math.floor(Math.max(0, available - timeout) / interval);
  return { count: Math.min(wanted.count, fitting), interval, timeout };
};

/** Rounded to a thousandth, fping's precision. */
const inMilliseconds = (seconds: number): number => Math.round(seconds * 1_000_000) / 1_000;
