/** A semaphore that admits a limited number of holders; others wait in order. */
export interface Semaphore {
  /**
   * @param most maximum number of holders, including this one
   * @throws the signal's reason if the signal aborts the wait
   */
  acquire: (most: number, signal: AbortSignal) => Promise<void>;
  release: () => void;
}

interface Kept {
  inside: number;
  waiting: { most: number; go: () => void }[];
}

const gates = new Map<string, Kept>();

/** Returns the semaphore with this name, which the whole process shares. */
export const semaphoreNamed = (name: string): Semaphore => ({
  acquire: async (most, signal) => {
    signal.throwIfAborted();
    const gate = gates.get(name) ?? { inside: 0, waiting: [] };
    gates.set(name, gate);
    if (gate.inside < most && gate.waiting.length === 0) {
      gate.inside++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const one = {
        most,
        go: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = (): void => {
        gate.waiting.splice(gate.waiting.indexOf(one), 1);
        admit(gate);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      gate.waiting.push(one);
    });
  },
  release: () => {
    const gate = gates.get(name);
    if (!gate) return;
    gate.inside--;
    admit(gate);
    if (gate.inside === 0) gates.delete(name);
  },
});

/** Admits waiters in their order until the limit of the first remaining waiter is reached. */
const admit = (gate: Kept): void => {
  for (let [first] = gate.waiting; first && gate.inside < first.most; [first] = gate.waiting) {
    gate.waiting.shift();
    gate.inside++;
    first.go();
  }
};

/**
 * Calls `work` while holding a semaphore.
 *
 * @throws errors of `work`, or the signal's reason if the signal aborts the wait
 */
export const withSemaphore = async <T>(
  gate: Semaphore,
  most: number,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> => {
  await gate.acquire(most, signal);
  try {
    return await work();
  } finally {
    gate.release();
  }
};
