import { useEffect, useRef } from 'preact/hooks';
import { shortcutOf } from '../../shell/shortcuts.ts';

/** Buttons, links and boxes have a use for Enter themselves. */
const hasOwnUse = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.matches('button, a, input, summary');

/**
 * Performs what single keys do on a screen, while it is shown.
 *
 * @param actionOf the action of a key; undefined: the key does nothing there
 */
export const useKeyActions = (actionOf: (key: string) => (() => void) | undefined): void => {
  const latest = useRef(actionOf);
  latest.current = actionOf;
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const key = shortcutOf(event);
      if (key === null || hasOwnUse(event)) return;
      const act = latest.current(key);
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', hear);
    return () => {
      removeEventListener('keydown', hear);
    };
  }, []);
};
