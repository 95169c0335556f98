import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { filterOf } from './filter.ts';
import { isSameOrder, orderOf, sorted } from './order.ts';
import type { Rows } from './source.ts';

export interface ShownOrder {
  order: readonly string[];
  /** whether the rows would be others, or elsewhere, if they were not held */
  isOld: boolean;
  /** rows stay where they are for as long as they are held */
  hold: (isHeld: boolean) => void;
  /** shows the rows as they are now */
  renew: () => void;
}

/** The order of the rows. No row moves away under the pointer: while it is over them they are held. */
export const useShownOrder = (rows: Rows, line: string, found: ReadonlySet<string>): ShownOrder => {
  const held = useSignal(false);
  const round = useSignal(0);
  const all = useMemo(() => sorted(rows.values()), [rows]);
  const wanted = useMemo(() => orderOf(all, filterOf(line), found), [all, line, found]);
  const shown = useRef({ order: wanted, line, found, round: round.value });
  const isAsked = shown.current.line !== line || shown.current.found !== found || shown.current.round !== round.value;
  if (!held.value || isAsked) shown.current = { order: wanted, line, found, round: round.value };
  const { order } = shown.current;
  return {
    order,
    isOld: order !== wanted && !isSameOrder(order, wanted),
    hold: (isHeld) => {
      held.value = isHeld;
    },
    renew: () => {
      round.value += 1;
    },
  };
};
