/** Wakes those who wait for it; a ring that nobody was waiting for is not lost. */
export interface Bell {
  ring: () => void;
  /**
   * Resolves when the bell has rung since the last wait, when the time is over, or when the signal aborts.
   *
   * @returns whether it has rung
   */
  heard: (milliseconds: number) => Promise<boolean>;
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
    heard: (milliseconds) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          wake = () => undefined;
          const heard = rung;
          rung = false;
          resolve(heard);
        };
        const timer = setTimeout(done, milliseconds);
        wake = done;
        if (rung || signal.aborted) done();
      }),
  };
};
