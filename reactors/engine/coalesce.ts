/**
 * Coalesces concurrent calls: calls made while one is running share the next run, so each sees the state at its own
 * call.
 *
 * @param make the shared operation
 */
export const coalesce = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let underWay: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    const made = make();
    const over = (): void => {
      if (underWay === made) underWay = null;
    };
    underWay = made;
    made.then(over, over);
    return made;
  };
  return () => {
    if (!underWay) return begin();
    const after = (): Promise<T> => {
      next = null;
      return begin();
    };
    next ??= underWay.then(after, after);
    return next;
  };
};
