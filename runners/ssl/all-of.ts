/** Waits for all of them to end, so that none goes on behind the back of who called; then it fails if one did. */
export const allOf = async <T>(steps: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(steps);
  return Promise.all(steps);
};
