import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ShortcutsWords } from '../../messages/console-words/words/shortcuts.ts';

/** A single-key shortcut with its action. */
export interface Binding {
  /** as `keyOf` (console/keys/key.ts) returns it: `j`, `X`, `Enter`, `/` */
  key: string;
  /** its description in the help (`?`) */
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
 * Registers the shortcuts of a screen while it is shown; the help lists them. The caller omits actions that the user's
 * role may not perform. If two components use the same key, the one shown later takes precedence.
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
