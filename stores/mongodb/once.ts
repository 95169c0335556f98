/** Returns a function that runs a task once. If the task fails, the next call runs it again. */
export const once = (task: () => Promise<unknown>): (() => Promise<unknown>) => {
  let doing: Promise<unknown> | null = null;
  return () =>
    (doing ??= task().catch((error: unknown) => {
      doing = null;
      throw error;
    }));
};
