import { useKeyActions } from '../../parts/rows/key-actions.ts';

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

/** Listens to the keys while the screen is shown. */
export const useKeys = (keys: Keys): void => {
  useKeyActions((key) => actionOf(key, keys));
};
