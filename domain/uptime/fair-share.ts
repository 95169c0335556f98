/** A list that shares a limit with other lists. */
export interface SharingList {
  /** number of elements */
  count: number;
  /** how often the list is used; each use counts towards the limit */
  times: number;
}

/**
 * Returns the number of elements that each list may keep, so that all lists together keep at most `limit` elements.
 * Shorter lists are kept whole, and what they leave is shared by the longer ones. Returns infinity if all lists can be
 * kept whole.
 */
export const fairShareOf = (lists: readonly SharingList[], limit: number): number => {
  let left = limit;
  let uses = lists.reduce((sum, { times }) => sum + times, 0);
  for (const { count, times } of [...lists].sort((one, other) => one.count - other.count)) {
    if (count * uses > left) return Math.floor(left / uses);
    left -= count * times;
    uses -= times;
  }
  return Number.POSITIVE_INFINITY;
};
