import { millisecondsOf, type Instant } from '../domain/time.ts';

/** How far ahead of the clock facts may be; what lies further was recorded by a clock that was wrong. */
export const MAX_AHEAD_MS = 60_000;

/** The time of facts: the clock, but for a little while when that was set back. */
export interface FactClock {
  /** milliseconds since 1970; no earlier than what was told or heard of before */
  now: () => number;
  /** Hears of a fact that was recorded, here or in another process. */
  heard: (recordedAt: Instant) => void;
}

/**
 * A clock that does not run backwards where another one is set back by less than a minute, or is behind that of
 * another process (a hybrid logical clock): what happens after a fact has no earlier time. What lies further ahead
 * does not count, since one event of a wrong clock must not put all that follows into the future; what it concerns
 * itself goes on after it all the same (api/v1/incidents/fact-time.ts, domain/incident).
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
