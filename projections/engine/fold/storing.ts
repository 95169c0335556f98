import { setTimeout as sleep } from 'node:timers/promises';

/** Something that may be ahead of what is stored of it. */
export interface Storable {
  /** whether it is ahead and `storeCheckpoint` would store it */
  readonly isAhead: boolean;
  storeCheckpoint: () => Promise<void>;
}

export interface StoringOptions {
  /** minimum milliseconds between two times, from the beginning on */
  spacing: number;
  /** Runs an action and reports its failure; it is repeated the next time. */
  attempt: (task: () => Promise<unknown>) => Promise<unknown>;
  signal: AbortSignal;
}

/** Changes within this time are stored together. Milliseconds. */
const GATHERED_MS = 5;

/**
 * Stores what is ahead: soon after a quiet period, since others may wait for it, and at limited intervals
 * while changes go on. While nothing is ahead nothing is done.
 *
 * @returns call it when something may be ahead
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
    // In the same turn as the last check, so no change is missed in between.
    underWay = false;
  };

  return () => {
    if (underWay || !isAnyAhead()) return;
    underWay = true;
    void store();
  };
};
