import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { ROOT } from '../urls.ts';
import { user } from './session.ts';
import { parsed, shelfIn } from './text-storage.ts';

const shelf = shelfIn(() => localStorage);

/** A value stored in this browser for the signed-in user. */
export interface Stored<T> {
  value: ReadonlySignal<T>;
  /** updates the current value, including changes by other tabs */
  change: (how: (value: T) => T) => void;
}

interface Held {
  read: () => void;
  stored: Stored<unknown>;
}

const held = new Map<string, Held>();

/** Other tabs can change the stored value. */
const follow = (): void => {
  addEventListener('storage', ({ key }) => {
    if (key === null) for (const { read } of held.values()) read();
    else held.get(key)?.read();
  });
};

/**
 * A value stored in this browser for the signed-in user; other users of the browser have their own. It must not be
 * secret, and is never trusted when read.
 *
 * @param name key of the value, which always has the same type
 * @param understand parses the stored value; null: none, or invalid JSON
 */
export const storedForUser = <T>(name: string, understand: (found: unknown) => T): Stored<T> => {
  const key = `uptrail ${ROOT} ${user.peek()?.id ?? ''} ${name}`;
  const known = held.get(key);
  if (known) return known.stored as Stored<T>;
  if (held.size === 0) follow();
  const value: Signal<T> = signal(understand(parsed(shelf.get(key))));
  const read = (): void => {
    value.value = understand(parsed(shelf.get(key)));
  };
  const stored: Stored<T> = {
    value,
    change: (how) => {
      value.value = how(understand(parsed(shelf.get(key))));
      shelf.set(key, JSON.stringify(value.value));
    },
  };
  held.set(key, { read, stored: stored as Stored<unknown> });
  return stored;
};
