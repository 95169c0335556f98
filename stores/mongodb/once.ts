/** Does something once; where it fails, again with the next call. */
export const once = (task: () => Promise<unknown>): (() => Promise<unknown>) => {
  let doing: Promise<unknown> | null = null;
  return () =>
    (doing ??= task().catch((error: unknown) => {
      doing = null;
      throw error;
    }));
};
