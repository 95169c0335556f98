import type { RunContext } from '../../engine/check-type.ts';

/**
 * Calls `run` and aborts the signal of its context after a time limit. The abort reason is `reason`, or the reason of
 * the given context's signal if that signal aborts first.
 *
 * @param run receives a context; when the signal of this context aborts, `run` must reject with the abort reason
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
