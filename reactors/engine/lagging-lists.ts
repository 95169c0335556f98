import type { Checkpoint } from './checkpoint.ts';
import { isReadModelLate } from './store-errors.ts';
import type { Round } from './work.ts';

/** A list that lags behind the work done is read again when it moves, or after this many milliseconds. */
export const LAG_PAUSE_MS = 1_000;

/** A round on a list. If the list lags, the next round follows soon: a burst of items is no failure. */
export const retrySoonIfLagging = (look: Promise<Round>, now: number, checkpoint: () => Checkpoint): Promise<Round> =>
  look.catch((error: unknown) => {
    if (!isReadModelLate(error)) throw error;
    return { next: now + LAG_PAUSE_MS, checkpoint: checkpoint() };
  });
