import type { Attempt } from '../delivery/state.ts';
import { millisecondsOf } from '../time.ts';

/** A webhook is given up after this many failed requests in a row, from the first to the last over an hour. */
const MOST_FAILED = 10;
const SPAN_MS = 3_600_000;

/**
 * Why nothing more is sent to a webhook, in a sentence; null: it is sent.
 *
 * @param attempts of all messages to it, in any order
 */
export const whyGivenUp = (attempts: readonly Pick<Attempt, 'begun_at' | 'outcome'>[]): string | null => {
  const inOrder = [...attempts].sort((one, other) => (one.begun_at < other.begun_at ? -1 : 1));
  const failed = inOrder.slice(inOrder.findLastIndex(({ outcome }) => outcome === 'delivered') + 1);
  const [first, last] = [failed[0], failed.at(-1)];
  if (!first || !last || failed.length < MOST_FAILED) return null;
  if (millisecondsOf(last.begun_at) - millisecondsOf(first.begun_at) < SPAN_MS) return null;
  return `The last ${failed.length.toString()} requests have failed, over more than an hour.`;
};
