const LONGEST_BACKOFF = 2_000;

/** Returns the pause before the next attempt in milliseconds, with jitter. */
export const backoffAfter = (failures: number, shortest = 100): number =>
  Math.min(shortest * 2 ** Math.min(failures, 20), LONGEST_BACKOFF) * (0.5 + Math.random());
