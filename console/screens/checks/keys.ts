import { useEffect, useRef } from 'preact/hooks';
import { shortcutOf } from '../../shell/shortcuts.ts';

/** What single keys do on this screen. */
export interface Keys {
  move: (by: 1 | -1) => void;
  open: () => void;
  select: (isRange: boolean) => void;
  selectAll: () => void;
  pause: () => void;
  run: () => void;
  edit: () => void;
  create: () => void;
  filter: () => void;
  /** Esc */
  leave: () => void;
}

const actionOf = (key: string, keys: Keys): (() => void) | undefined =>
  ({
    j: () => {
      keys.move(1);
    },
    k: () => {
      keys.move(-1);
    },
    Enter: keys.open,
    x: () => {
      keys.select(false);
    },
    X: () => {
      keys.select(true);
    },
    '*': keys.selectAll,
    p: keys.pause,
    r: keys.run,
    e: keys.edit,
    n: keys.create,
    '/': keys.filter,
    Escape: keys.leave,
  })[key];

/** Buttons, links and boxes have a use for Enter themselves. */
const hasOwnUse = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.matches('button, a, input, summary');

/** Listens to the keys while the screen is shown. */
export const useKeys = (keys: Keys): void => {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const key = shortcutOf(event);
      if (key === null || hasOwnUse(event)) return;
      const act = actionOf(key, latest.current);
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
