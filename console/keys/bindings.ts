import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ShortcutsWords } from '../../messages/console-words/words/shortcuts.ts';

/** A single-key shortcut with its action. */
export interface Binding {
  /** name of the key, as returned by `keyOf` (console/keys/key.ts): `j`, `X`, `Enter`, `/` */
  key: string;
  /** key of the shortcut's description in the help (`?`) */
  does: keyof ShortcutsWords['does'];
  act: () => void;
}

interface Registered {
  current: readonly Binding[];
}

const registered = signal<readonly Registered[]>([]);

/** Returns the shortcuts of all components on the screen, highest precedence first. */
export const screenBindings = (): readonly Binding[] =>
  [...registered.value].reverse().flatMap(({ current }) => current);

/**
 * Registers the shortcuts of a screen while the screen is shown. The help lists these shortcuts. Callers must omit
 * actions that the user's role does not permit. If two components use the same key, the component that was shown later
 * takes precedence.
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
