/** Defines when a failed task is retried. */
export interface RetryPolicy {
  /** the maximum number of runs; if the final run fails, its error is thrown */
  tries: number;
  /** whether the task is retried after an error; if not, the error is thrown immediately */
  retryOn: (error: unknown) => boolean;
  /** waits before a retry; default: no pause. `attempt` is the number of the failed run, from 1 */
  pause?: (attempt: number) => Promise<unknown>;
}

/** Runs a task until it succeeds or the policy allows no further retry. `attempt` is the number of the run, from 1. */
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
