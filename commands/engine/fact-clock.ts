import { millisecondsOf, MINUTE_MS, type Instant } from '../../domain/time.ts';

/** How far ahead of the clock a recorded time may be. Times further ahead come from a skewed clock and are ignored. */
export const MAX_AHEAD_MS = MINUTE_MS;

/** The clock for recorded times. It follows the system clock, but does not run backwards after a small set-back. */
export interface FactClock {
  /** milliseconds since 1970; no earlier than any time that it returned or observed before */
  now: () => number;
  /** Observes the time of an event that this or another process recorded. */
  observe: (recordedAt: Instant) => void;
}

/**
 * A hybrid logical clock. It does not run backwards when its source is set back by less than a minute or is behind the
 * clock of another process, so a later event never has an earlier time. Times further ahead are ignored, since one
 * event of a skewed clock must not move all following events into the future. Later events of the same resource still
 * get later times (commands/pages/component-status-times.ts, domain/incident).
 *
 * @param clock milliseconds since 1970
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
