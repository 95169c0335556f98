/**
 * Coalesces concurrent calls of an operation. Calls made while the operation is under way share the next operation,
 * which begins after it. Therefore, each caller gets the result of an operation that began after its call.
 *
 * @param make starts the operation
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
