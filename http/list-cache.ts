import { LRUCache } from 'lru-cache';

/**
 * Caches lists that are slow to compute.
 *
 * @param key identifies the list
 * @param version changes whenever the source of the list changes
 * @param work computes the list; concurrent callers share one computation
 * @throws any error of `work`; errors are not cached
 */
export type CacheList = <T>(key: string, version: string, work: () => Promise<readonly T[]>) => Promise<readonly T[]>;

interface CachedList {
  version: string;
  list: Promise<readonly unknown[]>;
}

/** Maximum total number of items in all lists. A list that is longer is not cached. */
const MOST_ITEMS = 50_000;
/** Milliseconds after which an unused list is dropped. */
const IDLE = 60_000;

/** @param mostItems maximum total number of items in all lists */
export const createListCache = (mostItems = MOST_ITEMS): CacheList => {
  const lists = new LRUCache<string, CachedList>({
    maxSize: mostItems,
    ttl: IDLE,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  return async <T>(key: string, version: string, work: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    const known = lists.get(key);
    if (known?.version === version) return (await known.list) as readonly T[];
    const made: CachedList = { version, list: work() };
    lists.set(key, made, { size: 1 });
    try {
      const list = (await made.list) as readonly T[];
      // Stores the list again, now with its actual size. If the list is too large, the cache drops it.
      if (lists.peek(key) === made) lists.set(key, { ...made }, { size: list.length + 1 });
      return list;
    } catch (error) {
      if (lists.peek(key) === made) lists.delete(key);
      throw error;
    }
  };
};
