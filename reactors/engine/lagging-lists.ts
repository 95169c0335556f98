import type { Checkpoint } from './checkpoint.ts';
import { isReadModelLate } from './store-errors.ts';
import type { Round } from './work.ts';

/** Delay before a lagging list is read again, unless a write to the list triggers an earlier read. In milliseconds. */
export const LAG_PAUSE_MS = 1_000;

/**
 * Waits for the result of a round. If the round failed because the list lags, requests another round soon instead of
 * failing, because lag during a burst of items is no error.
 */
export const retrySoonIfLagging = (look: Promise<Round>, now: number, checkpoint: () => Checkpoint): Promise<Round> =>
  look.catch((error: unknown) => {
    if (!isReadModelLate(error)) throw error;
    return { next: now + LAG_PAUSE_MS, checkpoint: checkpoint() };
  });
