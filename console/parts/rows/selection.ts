/**
 * Returns the ids from one id to another, including both. Returns an empty list if one of the two is not in `order`.
 */
export const rangeOf = (order: readonly string[], from: string | null, to: string): readonly string[] => {
  const end = order.indexOf(to);
  const start = from === null ? end : order.indexOf(from);
  if (end < 0) return [];
  if (start < 0) return [to];
  return order.slice(Math.min(start, end), Math.max(start, end) + 1);
};

/** Returns a copy of the set with an id added, or removed if the set contained it. */
export const toggled = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
};

/**
 * Returns the id that is `by` steps after `id`, or before it if `by` is negative. Stops at the ends of `order`. Returns
 * null if `order` is empty.
 */
export const neighbourOf = (order: readonly string[], id: string | null, by: number): string | null => {
  const at = id === null ? -1 : order.indexOf(id);
  const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, at + by));
  return order[next] ?? null;
};

/** Returns whether two orders are the same. */
export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);
