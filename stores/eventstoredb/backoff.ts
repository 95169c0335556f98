const LONGEST_BACKOFF = 2_000;

/** Backoff before the next attempt, milliseconds, with jitter. */
export const backoffAfter = (failures: number, shortest = 100): number =>
  Math.min(shortest * 2 ** Math.min(failures, 20), LONGEST_BACKOFF) * (0.5 + Math.random());
