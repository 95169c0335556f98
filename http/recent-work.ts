import { LRUCache } from 'lru-cache';

/**
 * Remembers lists that take long to make, as long as what they were made from is the same.
 *
 * @param key names the list
 * @param version differs where anything that the list was made from has changed
 * @param work makes it; who asks for the same meanwhile waits for it too
 * @throws whatever the work throws, which is not remembered
 */
export type RememberList = <T>(
  key: string,
  version: string,
  work: () => Promise<readonly T[]>,
) => Promise<readonly T[]>;

interface Remembered {
  version: string;
  list: Promise<readonly unknown[]>;
}

/** Items of all lists together; a longer list is made each time. */
const MOST_ITEMS = 50_000;
/** Milliseconds after which a list is dropped that nobody has asked for. */
const IDLE = 60_000;

/** @param mostItems of all lists together */
export const createRememberList = (mostItems = MOST_ITEMS): RememberList => {
  const lists = new LRUCache<string, Remembered>({
    maxSize: mostItems,
    ttl: IDLE,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  return async <T>(key: string, version: string, work: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    const known = lists.get(key);
    if (known?.version === version) return (await known.list) as readonly T[];
    const made: Remembered = { version, list: work() };
    lists.set(key, made, { size: 1 });
    try {
      const list = (await made.list) as readonly T[];
      // Replacing it by itself tells its size, or drops it.
      if (lists.peek(key) === made) lists.set(key, { ...made }, { size: list.length + 1 });
      return list;
    } catch (error) {
      if (lists.peek(key) === made) lists.delete(key);
      throw error;
    }
  };
};
