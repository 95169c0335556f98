import { millisecondsOf, type Instant } from '../../domain/time.ts';

/** How far ahead of the clock facts may be; facts further ahead were recorded by a wrong clock. */
export const MAX_AHEAD_MS = 60_000;

/** The time of facts: the clock, except for a while after it was set back. */
export interface FactClock {
  /** milliseconds since 1970; no earlier than any time that it returned or observed before */
  now: () => number;
  /** Observes a fact that was recorded, here or in another process. */
  heard: (recordedAt: Instant) => void;
}

/**
 * A clock that does not run backwards when its source is set back by less than a minute, or is behind another
 * process's (a hybrid logical clock): what happens after a fact has no earlier time. Facts further ahead do not count,
 * since one event of a wrong clock must not move everything that follows into the future. Later events of the same
 * resource still come after it (commands/pages/status-times.ts, domain/incident).
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
    heard: (recordedAt) => {
      const at = millisecondsOf(recordedAt);
      if (at > latest && at <= clock() + MAX_AHEAD_MS) latest = at;
    },
  };
};
