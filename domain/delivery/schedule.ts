import { instantOf, millisecondsOf, type Instant } from '../time.ts';

/** Pauses after the first, second, … try that has failed; after the last of them nothing more is tried (decisions.md: Subscribers). */
const PAUSES_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 3_600_000];

/** How long a message is worth telling, if its cause says nothing else. */
const WORTH_TELLING_MS = 24 * 3_600_000;

/** The longest pause that a target may ask for; it is tried then at the latest. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** From when on a message is no longer worth telling. */
export const notAfter = (now: Instant): Instant => instantOf(millisecondsOf(now) + WORTH_TELLING_MS);

/**
 * When a delivery is tried again.
 *
 * @param tries how often it has been tried so far, at least once
 * @param notBefore when its target wants to be tried again; null if it said nothing
 * @returns null if it has been tried often enough
 */
export const retryAt = (now: Instant, tries: number, notBefore: Instant | null): Instant | null => {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return null;
  const wanted = notBefore === null ? 0 : millisecondsOf(notBefore) - millisecondsOf(now);
  return instantOf(millisecondsOf(now) + Math.max(pause, Math.min(wanted, LONGEST_PAUSE_MS)));
};
