/** Waits until all promises have settled, so that no step continues in the background. Rejects if one was rejected. */
export const allOf = async <T>(steps: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(steps);
  return Promise.all(steps);
};
