/** Wakes those who wait for it; a ring that nobody was waiting for is not lost. */
export interface Bell {
  ring: () => void;
  /** Resolves when the bell has rung since the last wait, or when the signal aborts. */
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
