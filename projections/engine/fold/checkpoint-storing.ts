import { setTimeout as sleep } from 'node:timers/promises';

/** The owner of a checkpoint, whose position in memory can be far ahead of the stored position. */
export interface CheckpointOwner {
  /** Whether the position is far ahead of the stored one, so that `storeCheckpoint` would store it. */
  readonly isFarAhead: boolean;
  storeCheckpoint: () => Promise<void>;
}

export interface CheckpointStoringOptions {
  /** Minimum time between two writes of checkpoints, and before the first write, in milliseconds. */
  spacing: number;
  /**
   * Runs an action, and reports its failure. After a failure, checkpoints are still far ahead, so the action is
   * repeated.
   */
  attempt: (task: () => Promise<unknown>) => Promise<unknown>;
  signal: AbortSignal;
}

/** Checkpoints that get far ahead within this time are stored in one action. In milliseconds. */
const GATHERED_MS = 5;

/**
 * Stores checkpoints that are far ahead, so that only few events must be folded again after a crash. Runs no timer
 * while no checkpoint is far ahead.
 *
 * @returns a function to be called when a checkpoint might be far ahead
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
    // No checkpoint can change between the final test and this assignment: both are in the same turn of the event loop.
    underWay = false;
  };

  return () => {
    if (underWay || !isAnyFarAhead()) return;
    underWay = true;
    void store();
  };
};
