/** Does something once; if it fails, the next call tries again. */
export const once = (task: () => Promise<unknown>): (() => Promise<unknown>) => {
  let doing: Promise<unknown> | null = null;
  return () =>
    (doing ??= task().catch((error: unknown) => {
      doing = null;
      throw error;
    }));
};
