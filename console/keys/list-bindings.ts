import type { Binding } from './bindings.ts';

/** Single-key actions on a list with selectable rows. */
export interface ListKeys {
  move: (by: 1 | -1) => void;
  open: () => void;
  filter: () => void;
  select: (isRange: boolean) => void;
  selectAll: () => void;
  /** Esc */
  leave: () => void;
  /** whether the user is allowed to change rows, and can therefore select them */
  writes: boolean;
}

const moves = (keys: ListKeys): readonly Binding[] => [
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

const selects = (keys: ListKeys): readonly Binding[] => [
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
];

/**
 * Returns the shortcuts of a list with selectable rows: `j k Enter /`, and also `x X * Esc` for users who are allowed
 * to change its rows.
 */
export const selectionBindings = (keys: ListKeys): readonly Binding[] => [
  ...moves(keys),
  ...(keys.writes ? selects(keys) : []),
];
