import type { Checkpoint } from './checkpoint.ts';
import { isLate } from './unavailable.ts';
import type { Round } from './work.ts';

/** A list that is behind the work done is read again when it moves, at the latest after this many milliseconds. */
export const LATE_PAUSE_MS = 1_000;

/** A look at a list; where that is behind, another one comes soon: much was put on it at once, which is no failure. */
export const soonIfLate = (look: Promise<Round>, now: number, checkpoint: () => Checkpoint): Promise<Round> =>
  look.catch((error: unknown) => {
    if (!isLate(error)) throw error;
    return { next: now + LATE_PAUSE_MS, checkpoint: checkpoint() };
  });
