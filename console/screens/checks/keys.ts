import { useBindings, type Binding } from '../../keys/bindings.ts';

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
  /** whether the user may change checks */
  writes: boolean;
}

/** The keys of the list, of which those who may not change checks have some. */
const bindingsOf = (keys: Keys): readonly Binding[] => {
  const move: readonly Binding[] = [
    {
      key: 'j',
      does: 'down',
      act: () => {
        keys.move(1);
      },
    },
    {
      key: 'k',
      does: 'up',
      act: () => {
        keys.move(-1);
      },
    },
    { key: 'Enter', does: 'open', act: keys.open },
    { key: '/', does: 'filter', act: keys.filter },
  ];
  if (!keys.writes) return move;
  return [
    ...move,
    {
      key: 'x',
      does: 'select',
      act: () => {
        keys.select(false);
      },
    },
    {
      key: 'X',
      does: 'selectRange',
      act: () => {
        keys.select(true);
      },
    },
    { key: '*', does: 'selectAll', act: keys.selectAll },
    { key: 'Escape', does: 'clear', act: keys.leave },
    { key: 'n', does: 'create', act: keys.create },
    { key: 'e', does: 'edit', act: keys.edit },
    { key: 'p', does: 'pause', act: keys.pause },
    { key: 'r', does: 'run', act: keys.run },
  ];
};

/** Listens to the keys while the screen is shown. */
export const useKeys = (keys: Keys): void => {
  useBindings(bindingsOf(keys));
};
