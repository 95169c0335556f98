/** Growing pauses between attempts. They are randomised, so that runners do not all return at the same time. */
export interface Backoff {
  /** Returns the next pause in milliseconds. @param atLeast minimum pause in milliseconds that the service requested */
  next: (atLeast?: number) => number;
  /** Must be called after a successful attempt. */
  reset: () => void;
}

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/** @param random returns a number from 0 to 1, like Math.random */
export const createBackoff = (random: () => number): Backoff => {
  let most = FIRST_MS;
  return {
    next: (atLeast = 0) => {
      const pause = most / 2 + (random() * most) / 2;
      most = Math.min(2 * most, LONGEST_MS);
      return Math.max(pause, atLeast + random() * FIRST_MS);
    },
    reset: () => {
      most = FIRST_MS;
    },
  };
};
