import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { CONSOLE_PATH } from '../urls.ts';
import { user } from './session.ts';
import { parsedJson, textStorageIn } from './text-storage.ts';

const textStorage = textStorageIn(() => localStorage);

/** A value stored in this browser for the signed-in user. */
export interface Stored<T> {
  value: ReadonlySignal<T>;
  /** updates the value; `how` receives the current value, including changes by other tabs */
  change: (how: (value: T) => T) => void;
}

interface StoredEntry {
  read: () => void;
  stored: Stored<unknown>;
}

const storedEntries = new Map<string, StoredEntry>();

/** Starts listening for changes of stored values by other tabs. */
const follow = (): void => {
  addEventListener('storage', ({ key }) => {
    if (key === null) for (const { read } of storedEntries.values()) read();
    else storedEntries.get(key)?.read();
  });
};

/**
 * Opens a value stored in this browser for the signed-in user. Each user of the browser has a separate value. The value
 * must not be secret. It is untrusted, because anybody with access to the browser can change it.
 *
 * @param name key of the value; callers with the same key must use the same type
 * @param understand parses the stored value; receives null if there is none or if it is not valid JSON
 */
export const storedForUser = <T>(name: string, understand: (found: unknown) => T): Stored<T> => {
  const key = `uptrail ${CONSOLE_PATH} ${user.peek()?.id ?? ''} ${name}`;
  const known = storedEntries.get(key);
  if (known) return known.stored as Stored<T>;
  if (storedEntries.size === 0) follow();
  const value: Signal<T> = signal(understand(parsedJson(textStorage.get(key))));
  const read = (): void => {
    value.value = understand(parsedJson(textStorage.get(key)));
  };
  const stored: Stored<T> = {
    value,
    change: (how) => {
      value.value = how(understand(parsedJson(textStorage.get(key))));
      textStorage.set(key, JSON.stringify(value.value));
    },
  };
  storedEntries.set(key, { read, stored: stored as Stored<unknown> });
  return stored;
};
