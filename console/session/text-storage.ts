/** Texts stored in this browser, by key. */
export interface TextStorage {
  get: (key: string) => string | null;
  set: (key: string, text: string) => void;
}

/**
 * Stores texts in a browser's storage or, if the storage is denied or full, in memory.
 *
 * @param storage may throw, as `localStorage` does if cookies are blocked
 */
export const textStorageIn = (storage: () => Pick<Storage, 'getItem' | 'setItem'>): TextStorage => {
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

/** Parses a text as JSON. Returns null if the text is null or not valid JSON. */
export const parsedJson = (text: string | null): unknown => {
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
