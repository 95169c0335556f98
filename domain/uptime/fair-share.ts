/** A list that shares a limit with other lists. */
export interface SharingList {
  /** number of elements */
  count: number;
  /** how often the list is used; each use counts towards the limit */
  times: number;
}

/**
 * Returns the maximum length of each list, so that all lists together contain at most `limit` elements. Shorter lists
 * are not truncated, and longer lists share the remaining capacity. Returns infinity if no list must be truncated.
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
