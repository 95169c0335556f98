/** A wake-up signal for one waiter. A signal that arrives while nothing waits is remembered. */
export interface WakeSignal {
  wake: () => void;
  /** Resolves when `ring` was called since the last wait, or when the abort signal fires. */
  woken: () => Promise<void>;
}

export const createWakeSignal = (signal: AbortSignal): WakeSignal => {
  let rung = false;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => {
    wake();
  });
  return {
    wake: () => {
      rung = true;
      wake();
    },
    woken: () =>
      new Promise((resolve) => {
        wake = () => {
          wake = () => undefined;
          rung = false;
          resolve();
        };
        if (rung || signal.aborted) wake();
      }),
  };
};
