/** Limits the number of concurrent tasks; further ones wait in order. */
export interface ConcurrencyLimit {
  /** Rejects with the signal's reason if that aborts before the task starts. */
  run: <T>(signal: AbortSignal, task: () => Promise<T>) => Promise<T>;
}

export const createConcurrencyLimit = (atOnce: number): ConcurrencyLimit => {
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(go);
        reject(signal.reason as Error);
      };
      waiting.add(go);
      signal.addEventListener('abort', leave, { once: true });
    });

  return {
    run: async (signal, task) => {
      signal.throwIfAborted();
      // A finished task passes its slot directly to the next one, so no other task gets in between.
      if (running >= atOnce) await turn(signal);
      else running += 1;
      try {
        return await task();
      } finally {
        const [next] = waiting;
        if (next) {
          waiting.delete(next);
          next();
        } else running -= 1;
      }
    },
  };
};
