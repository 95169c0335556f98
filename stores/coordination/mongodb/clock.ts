/** Time as leases see it: it only runs forward, and nobody sets it. */
export interface Clock {
  /** milliseconds since any moment */
  now: () => number;
  /**
   * Does something after so many milliseconds.
   *
   * @returns what keeps it from being done
   */
  after: (milliseconds: number, action: () => void) => () => void;
}

export const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Resolves after so many milliseconds; rejects with the signal's reason when that aborts. */
export const pause = (clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
