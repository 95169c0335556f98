/**
 * Does something with items, several at once, taking them in their order.
 *
 * @param limit how many at once
 * @param ended asked before each item is taken; true takes no more
 * @returns how many were taken, counted from the first; all of these are done
 */
export const sideBySide = async <Item>(
  items: readonly Item[],
  limit: number,
  ended: () => boolean,
  act: (item: Item) => Promise<void>,
): Promise<number> => {
  let taken = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const item = items[taken];
      if (item === undefined || ended()) return;
      taken += 1;
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return taken;
};
