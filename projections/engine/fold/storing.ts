import { setTimeout as sleep } from 'node:timers/promises';

/** Something that is further than what is stored of it. */
export interface Storable {
  /** whether it is, and `storeCheckpoint` would store it */
  readonly isAhead: boolean;
  storeCheckpoint: () => Promise<void>;
}

export interface StoringOptions {
  /** milliseconds between two times at least, from the beginning on */
  spacing: number;
  /** Does something, and says what fails; that is done again the next time. */
  attempt: (task: () => Promise<unknown>) => Promise<unknown>;
  signal: AbortSignal;
}

/** What moves in one go is stored together. Milliseconds. */
const GATHERED_MS = 5;

/**
 * Stores what is ahead: soon after a while in which nothing was, since others may wait for it, and not more often
 * than so while all moves all the time. While nothing is ahead nothing is done.
 *
 * @returns to be called when something may be ahead
 */
export const storingSoon = (all: readonly Storable[], { spacing, attempt, signal }: StoringOptions): (() => void) => {
  let stored = performance.now();
  let underWay = false;

  const isAnyAhead = (): boolean => !signal.aborted && all.some(({ isAhead }) => isAhead);

  const store = async (): Promise<void> => {
    while (isAnyAhead()) {
      const left = Math.max(GATHERED_MS, stored + spacing - performance.now());
      await sleep(left, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      stored = performance.now();
      await attempt(() => Promise.all(all.map((one) => one.storeCheckpoint())));
    }
    // In the same turn as the last look, so that nothing moves unseen in between.
    underWay = false;
  };

  return () => {
    if (underWay || !isAnyAhead()) return;
    underWay = true;
    void store();
  };
};
