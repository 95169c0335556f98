/** Lets some through at once; others wait in their order. */
export interface Gate {
  /** @throws the signal's reason, when that ends the waiting */
  enter: (signal: AbortSignal) => Promise<void>;
  leave: () => void;
  /** From now on only one at a time. */
  narrow: () => void;
}

interface Kept {
  most: number;
  inside: number;
  waiting: (() => void)[];
}

const gates = new Map<string, Kept>();

/**
 * The gate of a target, which all runs of this process share.
 *
 * @param most how many may be inside at once
 */
export const gateOf = (target: string, most: number): Gate => {
  const kept = (): Kept => {
    const known = gates.get(target);
    if (known) return known;
    const fresh = { most, inside: 0, waiting: [] };
    gates.set(target, fresh);
    return fresh;
  };
  return {
    enter: async (signal) => {
      signal.throwIfAborted();
      const gate = kept();
      if (gate.inside < gate.most) {
        gate.inside++;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = (): void => {
          gate.waiting.splice(gate.waiting.indexOf(go), 1);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        gate.waiting.push(go);
      });
    },
    leave: () => {
      const gate = kept();
      // The place is handed on.
      const next = gate.inside <= gate.most ? gate.waiting.shift() : undefined;
      if (next) next();
      else gate.inside--;
      if (gate.inside === 0) gates.delete(target);
    },
    narrow: () => {
      kept().most = 1;
    },
  };
};
