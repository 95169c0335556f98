/** Echo requests to one address. */
export interface Plan {
  count: number;
  /** milliseconds between them */
  interval: number;
  /** milliseconds until one counts as lost */
  timeout: number;
}

/** What a check asks for; seconds. */
export interface Wanted {
  count: number;
  interval: number;
  timeout: number;
}

/**
 * The part of a run's time that is not for waiting, milliseconds; a third of the time if there is little. In it, the run
 * is gathered with others, and the process starts and sends one packet per millisecond.
 */
const RESERVE_MS = 600;

const STEP_MS = 50;

/**
 * As many of the wanted requests as fit into the time, at least one. A single one waits no longer than the time left.
 *
 * @param left milliseconds that the run has left
 * @returns null: there is no time even for one
 */
export const planOf = (wanted: Wanted, left: number): Plan | null => {
  const available = Math.floor(left - Math.min(RESERVE_MS, left / 3));
  if (available < 1) return null;
  const [interval, asked] = [inMilliseconds(wanted.interval), inMilliseconds(wanted.timeout)];
  // A shortened timeout goes in steps, so runs with almost the same time left can share a process.
  const timeout = Math.min(asked, available < STEP_MS ? available : available - (available % STEP_MS));
  const fitting = 1 + Math.floor(Math.max(0, available - timeout) / interval);
  return { count: Math.min(wanted.count, fitting), interval, timeout };
};

/** To a thousandth, which is fping's precision. */
const inMilliseconds = (seconds: number): number => Math.round(seconds * 1_000_000) / 1_000;
