/** A wake-up signal for one waiter. A signal that arrives while nothing waits is remembered. */
export interface Bell {
  ring: () => void;
  /** Resolves when `ring` was called since the last wait, or when the abort signal fires. */
  heard: () => Promise<void>;
}

export const createBell = (signal: AbortSignal): Bell => {
  let rung = false;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => {
    wake();
  });
  return {
    ring: () => {
      rung = true;
      wake();
    },
    heard: () =>
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
