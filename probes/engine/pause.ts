import type { Clock } from '../../network/clock.ts';

/** Waits for some time. If the signal aborts, rejects with the signal's reason. */
export const pause = (clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
