/** Texts that this browser keeps, by their keys. */
export interface Shelf {
  get: (key: string) => string | null;
  set: (key: string, text: string) => void;
}

/**
 * Keeps texts in a browser's storage; where that is denied or full, until the page is left.
 *
 * @param storage may throw, as `localStorage` does where cookies are blocked
 */
export const shelfIn = (storage: () => Pick<Storage, 'getItem' | 'setItem'>): Shelf => {
  const unsaved = new Map<string, string>();
  return {
    get: (key) => {
      const own = unsaved.get(key);
      if (own !== undefined) return own;
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    set: (key, text) => {
      try {
        storage().setItem(key, text);
        unsaved.delete(key);
      } catch {
        unsaved.set(key, text);
      }
    },
  };
};

/** What a text says as JSON; null: it is none. */
export const parsed = (text: string | null): unknown => {
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
