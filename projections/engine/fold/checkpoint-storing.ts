import { setTimeout as sleep } from 'node:timers/promises';

/** Something whose state may be far ahead of what is stored. */
export interface CheckpointOwner {
  /** whether it is far ahead, so that `storeCheckpoint` would store it */
  readonly isFarAhead: boolean;
  storeCheckpoint: () => Promise<void>;
}

export interface CheckpointStoringOptions {
  /** minimum milliseconds between two calls, and before the first */
  spacing: number;
  /** Runs an action and reports its failure; the action is repeated the next time. */
  attempt: (task: () => Promise<unknown>) => Promise<unknown>;
  signal: AbortSignal;
}

/** Whatever gets far ahead within this time is stored together. Milliseconds. */
const GATHERED_MS = 5;

/**
 * Stores what is far ahead, at limited intervals, so that little must be repeated after a crash. While nothing is far
 * ahead, nothing is done and no timer runs.
 *
 * @returns call it when something may be far ahead
 */
export const scheduleCheckpoints = (
  all: readonly CheckpointOwner[],
  { spacing, attempt, signal }: CheckpointStoringOptions,
): (() => void) => {
  let stored = performance.now();
  let underWay = false;

  const isAnyFarAhead = (): boolean => !signal.aborted && all.some(({ isFarAhead }) => isFarAhead);

  const store = async (): Promise<void> => {
    while (isAnyFarAhead()) {
      const left = Math.max(GATHERED_MS, stored + spacing - performance.now());
      await sleep(left, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      stored = performance.now();
      await attempt(() => Promise.all(all.map((one) => one.storeCheckpoint())));
    }
    // In the same turn of the event loop as the last check, so no change is missed in between.
    underWay = false;
  };

  return () => {
    if (underWay || !isAnyFarAhead()) return;
    underWay = true;
    void store();
  };
};
