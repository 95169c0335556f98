import type { RunContext } from '../../engine/check-type.ts';

/**
 * Calls `run` and aborts it after a time limit. It then rejects with `reason`, or with the reason of the context's
 * signal if that signal aborted first.
 *
 * @param run receives a context whose signal it must observe
 */
export const withTimeLimit = async <T>(
  milliseconds: number,
  reason: Error,
  context: RunContext,
  run: (limited: RunContext) => Promise<T>,
): Promise<T> => {
  const { clock, signal } = context;
  const ending = new AbortController();
  const onAbort = (): void => {
    ending.abort(signal.reason);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort);
  const cancelTimer = clock.after(milliseconds, () => {
    ending.abort(reason);
  });
  try {
    return await run({ ...context, signal: ending.signal });
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
  }
};
