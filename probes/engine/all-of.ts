/** Waits until all have ended, so that none continues unnoticed, then fails if one of them failed. */
export const allOf = async <T>(steps: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(steps);
  return Promise.all(steps);
};
