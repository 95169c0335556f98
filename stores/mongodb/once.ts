/** Runs a task once; after a failure, the next call tries again. */
export const once = (task: () => Promise<unknown>): (() => Promise<unknown>) => {
  let doing: Promise<unknown> | null = null;
  return () =>
    (doing ??= task().catch((error: unknown) => {
      doing = null;
      throw error;
    }));
};
