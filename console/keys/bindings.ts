import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ShortcutsWords } from '../../messages/console-words/words/shortcuts.ts';

/** A single key with what it does. */
export interface Binding {
  /** as `keyOf` names it (console/keys/key.ts): `j`, `X`, `Enter`, `/` */
  key: string;
  /** what it does, as the help (`?`) says */
  does: keyof ShortcutsWords['does'];
  act: () => void;
}

interface Registered {
  current: readonly Binding[];
}

const registered = signal<readonly Registered[]>([]);

/** The keys of what is shown, those that count first at the front. */
export const screenBindings = (): readonly Binding[] =>
  [...registered.value].reverse().flatMap(({ current }) => current);

/**
 * Declares the keys of a screen, while it is shown; the help lists them. What the user's role may not do is left out by
 * the caller. What is shown later comes first where two have the same key.
 */
export const useBindings = (bindings: readonly Binding[]): void => {
  const latest = useRef(bindings);
  latest.current = bindings;
  useEffect(() => {
    registered.value = [...registered.peek(), latest];
    return () => {
      registered.value = registered.peek().filter((one) => one !== latest);
    };
  }, []);
};
