/** Wakes up one waiter. A wake-up that arrives without a waiter ends the next wait immediately. */
export interface WakeSignal {
  wake: () => void;
  /** Resolves when `wake` is called, or was called since the previous wait, or when the abort signal has aborted. */
  woken: () => Promise<void>;
}

export const createWakeSignal = (signal: AbortSignal): WakeSignal => {
  let isPending = false;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => {
    wake();
  });
  return {
    wake: () => {
      isPending = true;
      wake();
    },
    woken: () =>
      new Promise((resolve) => {
        wake = () => {
          wake = () => undefined;
          isPending = false;
          resolve();
        };
        if (isPending || signal.aborted) wake();
      }),
  };
};
