import { LRUCache } from 'lru-cache';

const REMEMBERED = 1_000;

/** A cache of lookups by name. */
export interface LookupCache<T> {
  get: (name: string) => Promise<T | null>;
  forget: () => void;
}

/**
 * Caches found values while the version stays the same. Failed lookups are not cached.
 *
 * @param version returns a number that changes whenever a value might have changed, or null to disable the cache
 */
export const cacheWhileUnchanged = <T extends object>(
  version: () => bigint | null,
  lookUp: (name: string) => Promise<T | null>,
): LookupCache<T> => {
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
      // Do not cache a value that might have changed during the lookup.
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
 * Caches found values for a time. The time starts before the lookup, so a change made during the lookup is visible when
 * the time is over.
 *
 * @param clock returns milliseconds from any origin, such as `performance.now()`
 */
export const cacheForTime = <T extends object>(
  milliseconds: number,
  lookUp: (name: string) => Promise<T | null>,
  clock: () => number,
): LookupCache<T> => {
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
