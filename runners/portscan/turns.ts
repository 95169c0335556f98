/** Lets a limited number work at once; the others wait for their turn, first come, first served. */
export const createTurns = (most: number) => {
  let busy = 0;
  const waiting: (() => void)[] = [];

  const take = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (busy < most) {
      busy++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(begin);
    });
  };

  /** The turn goes to the next one, or nobody has it. */
  const giveBack = (): void => {
    const next = waiting.shift();
    if (next) next();
    else busy--;
  };

  /** Runs `work` when its turn comes; rejects with the signal's reason if the signal aborts first. */
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    await take(signal);
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
};
