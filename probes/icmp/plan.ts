/** The schedule of echo requests to one address. */
export interface PingPlan {
  count: number;
  /** milliseconds between two requests */
  interval: number;
  /** milliseconds until a request counts as lost */
  timeout: number;
}

/** The parameters of a check. `interval` and `timeout` are in seconds. */
export interface PingParameters {
  count: number;
  interval: number;
  timeout: number;
}

/**
 * Time that a run reserves for collecting runs, starting the process, and sending one packet per millisecond, in
 * milliseconds. If this is more than a third of the remaining time, the run reserves only a third.
 */
const RESERVE_MS = 600;

const STEP_MS = 50;

/**
 * Plans as many of the requested pings as fit into the remaining time. If only one ping fits, its timeout is shortened
 * if necessary.
 *
 * @param left remaining time of the run, in milliseconds
 * @returns the plan, or null if there is no time for a single ping
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

/** Converts seconds to milliseconds, rounded to fping's precision of a thousandth. */
const inMilliseconds = (seconds: number): number => Math.round(seconds * 1_000_000) / 1_000;
