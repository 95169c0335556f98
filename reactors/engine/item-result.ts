import { ConcurrentChange, DomainError } from '../../domain/errors.ts';

/** The result of the work on an item. */
export type ItemResult = { targetFailed: boolean } & (
  | { end: 'done' }
  /** retried at `at`, milliseconds since 1970. `reason` is null if the item has not failed but was too early */
  | { end: 'again'; at: number; reason: string | null }
  | { end: 'given_up'; reason: string }
);

interface TargetOption {
  /** whether the target of the item has failed, so that all items of the target must pause */
  targetFailed?: boolean;
}

export const done = ({ targetFailed = false }: TargetOption = {}): ItemResult => ({ end: 'done', targetFailed });

/**
 * Returns the result for an item to be retried later.
 *
 * @param at the time of the retry, in milliseconds since 1970
 * @param reason why the item failed, as a sentence; null if it has not failed but was too early
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

/**
 * Returns the result for an item that failed permanently. The item is stored with the reason until an operator retries
 * it.
 */
export const failPermanently = (reason: string, { targetFailed = false }: TargetOption = {}): ItemResult => ({
  end: 'given_up',
  reason,
  targetFailed,
});

/** Number of attempts after which an item fails permanently. With backoff, they take about an hour. */
const MOST_TRIES = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Longest pause between attempts while a store is unavailable. */
const LONGEST_PAUSE_FOR_STORES_MS = 4_000;

/** Returns the pause after a number of consecutive failures, in milliseconds. The pause doubles with each failure. */
export const backoffAfter = (failures: number, longest = LONGEST_PAUSE_MS): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (Math.min(failures, 20) - 1), longest);

/**
 * Returns the result for an item whose function threw an error. A domain error is permanent, unless it reports a
 * concurrent change. While a store is unavailable, the item is retried without limit. After any other error, the item
 * is retried for an hour, because the cause might be repaired.
 *
 * @param tries the number of attempts, including this one
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
