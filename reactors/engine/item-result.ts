import { ConcurrentChange, DomainError } from '../../domain/errors.ts';

/** The result of the work on an item. */
export type ItemResult = { targetFailed: boolean } & (
  | { end: 'done' }
  /** `at`: milliseconds since 1970; `reason`: null if it was only too early, which is no failure */
  | { end: 'again'; at: number; reason: string | null }
  | { end: 'given_up'; reason: string }
);

interface TargetOption {
  /** whether the target of the item refused it, which pauses all items of the target */
  targetFailed?: boolean;
}

export const done = ({ targetFailed = false }: TargetOption = {}): ItemResult => ({ end: 'done', targetFailed });

/**
 * Retries the item later.
 *
 * @param at milliseconds since 1970
 * @param reason why it failed, as a sentence; without it the item was only too early
 */
export const retryItemAt = (
  at: number,
  reason: string | null = null,
  { targetFailed = false }: TargetOption = {},
): ItemResult => ({
  end: 'again',
  at,
  reason,
  targetFailed,
});

/** The item failed permanently. It is stored with the reason until an operator retries it. */
export const failPermanently = (reason: string, { targetFailed = false }: TargetOption = {}): ItemResult => ({
  end: 'given_up',
  reason,
  targetFailed,
});

/** An item fails permanently after this many attempts, which take an hour. */
const MOST_TRIES = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** The longest pause if a store is unavailable. */
const LONGEST_PAUSE_FOR_STORES_MS = 4_000;

/** Exponential backoff: the pause after a number of consecutive failures, milliseconds. */
export const backoffAfter = (failures: number, longest = LONGEST_PAUSE_MS): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (Math.min(failures, 20) - 1), longest);

/**
 * The result for an item whose function threw. A domain error is permanent. An unavailable store is retried without
 * limit. Everything else is retried for an hour, because its cause may be repaired.
 *
 * @param tries number of attempts, including this one
 * @param unavailable whether a store is unavailable
 */
export const resultOfError = (error: unknown, tries: number, now: number, unavailable: boolean): ItemResult => {
  const reason = reasonOf(error);
  if (unavailable) return retryItemAt(now + backoffAfter(tries, LONGEST_PAUSE_FOR_STORES_MS), reason);
  if (error instanceof DomainError && !(error instanceof ConcurrentChange)) return failPermanently(reason);
  if (tries >= MOST_TRIES) return failPermanently(reason, { targetFailed: true });
  return retryItemAt(now + backoffAfter(tries), reason, { targetFailed: true });
};

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);
