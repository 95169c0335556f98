/** Waits until all have ended, so none goes on unseen by the caller. Then fails if one of them failed. */
export const allOf = async <T>(steps: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(steps);
  return Promise.all(steps);
};
