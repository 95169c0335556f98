/** Limits the number of concurrent tasks. Further tasks wait and start in the order of their calls. */
export interface ConcurrencyLimit {
  /** Runs a task. Rejects with the signal's reason if the signal aborts before the task starts. */
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
      // A task that ends passes its slot directly to the next waiting task, so that a new task can't overtake the
      // waiting task.
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
