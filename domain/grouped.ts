/** Groups items by key. */
export const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** Sorts groups by key. Keys that start with an instant are then in chronological order. */
export const inOrder = <T>(groups: ReadonlyMap<string, T>): [string, T][] =>
  [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
