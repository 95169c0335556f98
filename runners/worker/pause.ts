import type { Clock } from '../../network/clock.ts';
import { RunAborted } from '../probe/check-type.ts';

/**
 * Waits.
 *
 * @throws RunAborted the signal ended it
 */
export const pause = (clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new RunAborted());
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(new RunAborted());
    };
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
