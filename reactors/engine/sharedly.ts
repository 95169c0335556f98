/**
 * Lets calls that come while one is under way share the next one: each sees what was there when it was called.
 *
 * @param make what is asked for, which may take some time
 */
export const sharedly = <T>(make: () => Promise<T>): (() => Promise<T>) => {
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
