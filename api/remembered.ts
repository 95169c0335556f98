import { LRUCache } from 'lru-cache';

const REMEMBERED = 1_000;

/** Looks something up by a name, or remembers what was found. */
export interface Remembered<T> {
  get: (name: string) => Promise<T | null>;
  forget: () => void;
}

/**
 * Remembers what was found for as long as nothing can have changed. What was looked for in vain is not remembered.
 *
 * @param version another number whenever something may have changed; null while nothing may be remembered
 */
export const whileUnchanged = <T extends object>(
  version: () => bigint | null,
  lookUp: (name: string) => Promise<T | null>,
): Remembered<T> => {
  const remembered = new LRUCache<string, T>({ max: REMEMBERED });
  let rememberedAt: bigint | null = null;
  let forgotten = 0;
  return {
    get: async (name) => {
      const current = version();
      if (current === null || current !== rememberedAt) {
        remembered.clear();
        rememberedAt = current;
      }
      const known = remembered.get(name);
      if (known) return known;
      const before = forgotten;
      const found = await lookUp(name);
      // Remember only what is still true: it may have changed while it was looked up.
      if (found && current !== null && version() === current && before === forgotten) remembered.set(name, found);
      return found;
    },
    forget: () => {
      forgotten += 1;
      remembered.clear();
    },
  };
};

/**
 * Remembers what was found for a time, counted from when the look began: what has changed since is known after it.
 *
 * @param clock milliseconds; only differences count
 */
export const forATime = <T extends object>(
  milliseconds: number,
  lookUp: (name: string) => Promise<T | null>,
  clock: () => number,
): Remembered<T> => {
  const remembered = new LRUCache<string, { found: T; at: number }>({ max: REMEMBERED });
  let forgotten = 0;
  return {
    get: async (name) => {
      const at = clock();
      const known = remembered.get(name);
      if (known && at - known.at < milliseconds) return known.found;
      const before = forgotten;
      const found = await lookUp(name);
      if (!found) remembered.delete(name);
      else if (before === forgotten) remembered.set(name, { found, at });
      return found;
    },
    forget: () => {
      forgotten += 1;
      remembered.clear();
    },
  };
};
