/** Runs so many tasks at once; the others wait in their order. */
export interface Turns {
  /** Rejects with the signal's reason when that aborts before it is the task's turn. */
  take: <T>(signal: AbortSignal, task: () => Promise<T>) => Promise<T>;
}

export const createTurns = (atOnce: number): Turns => {
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
    take: async (signal, task) => {
      signal.throwIfAborted();
      // Whoever ends passes its turn on, so nobody else gets in between.
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
