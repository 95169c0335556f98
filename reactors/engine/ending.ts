import { ConcurrentChange, DomainError } from '../../domain/errors.ts';

/** The end of the work on an item. */
export type Ending = { targetFailed: boolean } & (
  | { end: 'done' }
  /** `at`: milliseconds since 1970; `reason`: null where it was only too early, which is no failure */
  | { end: 'again'; at: number; reason: string | null }
  | { end: 'given_up'; reason: string }
);

interface Told {
  /** whether the target of the item refused it: all items of the same target get a pause */
  targetFailed?: boolean;
}

export const done = ({ targetFailed = false }: Told = {}): Ending => ({ end: 'done', targetFailed });

/**
 * The item is looked at again later.
 *
 * @param at milliseconds since 1970
 * @param reason why it could not be done, a sentence; without one it was only too early
 */
export const againAt = (at: number, reason: string | null = null, { targetFailed = false }: Told = {}): Ending => ({
  end: 'again',
  at,
  reason,
  targetFailed,
});

/** The item is not tried again by itself; it is kept for an operator, with the reason. */
export const givenUp = (reason: string, { targetFailed = false }: Told = {}): Ending => ({
  end: 'given_up',
  reason,
  targetFailed,
});

/** An item that always fails is given up after this many tries, which take an hour. */
const MOST_TRIES = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Where a store is at fault, it is asked again soon. */
const LONGEST_PAUSE_FOR_STORES_MS = 4_000;

/** The pause after a number of failures in a row, milliseconds. */
export const pauseAfter = (failures: number, longest = LONGEST_PAUSE_MS): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (Math.min(failures, 20) - 1), longest);

/**
 * The end of the work on an item that threw. What the domain refuses, it refuses every time. A store that does not
 * answer is waited for as long as it takes. Everything else is tried for an hour, since its cause may be repaired.
 *
 * @param tries how often it was tried, this time included
 * @param unavailable whether a store was at fault
 */
export const endingOf = (error: unknown, tries: number, now: number, unavailable: boolean): Ending => {
  const reason = reasonOf(error);
  if (unavailable) return againAt(now + pauseAfter(tries, LONGEST_PAUSE_FOR_STORES_MS), reason);
  if (error instanceof DomainError && !(error instanceof ConcurrentChange)) return givenUp(reason);
  if (tries >= MOST_TRIES) return givenUp(reason, { targetFailed: true });
  return againAt(now + pauseAfter(tries), reason, { targetFailed: true });
};

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);
