import type { Attempt } from '../delivery/state.ts';
import { HOUR_MS, millisecondsOf } from '../time.ts';

/** Number of consecutive failed requests, over more than an hour, after which a webhook is put into quarantine. */
const MOST_FAILED = 10;
const SPAN_MS = HOUR_MS;

/**
 * Returns a sentence that explains why a webhook must be put into quarantine; null if no quarantine is needed.
 *
 * @param attempts the attempts of all messages to the webhook, in any order
 */
export const quarantineReason = (attempts: readonly Pick<Attempt, 'begun_at' | 'outcome'>[]): string | null => {
  const sorted = [...attempts].sort((one, other) => (one.begun_at < other.begun_at ? -1 : 1));
  const failed = sorted.slice(sorted.findLastIndex(({ outcome }) => outcome === 'delivered') + 1);
  const [first, last] = [failed[0], failed.at(-1)];
  if (!first || !last || failed.length < MOST_FAILED) return null;
  if (millisecondsOf(last.begun_at) - millisecondsOf(first.begun_at) < SPAN_MS) return null;
  return `The last ${failed.length} requests, over more than an hour, have failed.`;
};
