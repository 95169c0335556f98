import { millisecondsOf, MINUTE_MS, type Instant } from '../../domain/time.ts';

/**
 * Tolerance for a recorded time that is ahead of this clock, in milliseconds. Times further ahead come from a skewed
 * clock and are ignored.
 */
export const MAX_AHEAD_MS = MINUTE_MS;

/**
 * The clock for recorded times. It follows the system clock, but does not go back if the system clock is set back a
 * little.
 */
export interface FactClock {
  /** Returns milliseconds since 1970. The time is never earlier than a time that was returned or observed before. */
  now: () => number;
  /** Observes the time of an event that this or another process recorded. */
  observe: (recordedAt: Instant) => void;
}

/**
 * Creates a hybrid logical clock. It does not go back if its source is set back by less than a minute, or is behind the
 * clock of another process. So a later event never has an earlier time. Times more than a minute ahead are ignored:
 * otherwise one event of a skewed clock would move all following events into the future. For events of one resource,
 * domain rules ensure the order (commands/pages/component-status-times.ts, domain/incident).
 *
 * @param clock returns milliseconds since 1970
 */
export const createFactClock = (clock: () => number): FactClock => {
  let latest = 0;
  return {
    now: () => {
      const now = clock();
      if (latest < now || latest > now + MAX_AHEAD_MS) latest = now;
      return latest;
    },
    observe: (recordedAt) => {
      const at = millisecondsOf(recordedAt);
      if (at > latest && at <= clock() + MAX_AHEAD_MS) latest = at;
    },
  };
};
