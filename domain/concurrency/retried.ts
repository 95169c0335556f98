/** When a failed task is retried. */
export interface RetryPolicy {
  /** how often the task runs at most; after the last run its error is thrown */
  tries: number;
  /** whether an error is worth a retry; any other is thrown immediately */
  retryOn: (error: unknown) => boolean;
  /** waits before a retry; default: no pause. `attempt`: the number of the failed run, from 1 */
  pause?: (attempt: number) => Promise<unknown>;
}

/** Runs a task until it succeeds, or fails for good. `attempt`: the number of the run, from 1. */
export const retried = async <T>(
  task: (attempt: number) => Promise<T>,
  { tries, retryOn, pause }: RetryPolicy,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task(attempt);
    } catch (error) {
      if (attempt >= tries || !retryOn(error)) throw error;
      await pause?.(attempt);
    }
  }
};
