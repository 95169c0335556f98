import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { ROOT } from '../place.ts';
import { user } from './session.ts';
import { parsed, shelfIn } from './shelf.ts';

const shelf = shelfIn(() => localStorage);

/** Something of the signed-in user that this browser keeps. */
export interface Stored<T> {
  value: ReadonlySignal<T>;
  /** changes it as it is now, whatever other tabs did to it */
  change: (how: (value: T) => T) => void;
}

interface Held {
  read: () => void;
  stored: Stored<unknown>;
}

const held = new Map<string, Held>();

/** Other tabs change what they share with this one. */
const follow = (): void => {
  addEventListener('storage', ({ key }) => {
    if (key === null) for (const { read } of held.values()) read();
    else held.get(key)?.read();
  });
};

/**
 * Something that this browser keeps for the signed-in user. Other users of the browser have their own. Nothing secret
 * is kept so, and what is found is never trusted.
 *
 * @param name of what is kept, whose type is always the same
 * @param understand makes a value of whatever was found; null: nothing was, or nothing that is JSON
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
