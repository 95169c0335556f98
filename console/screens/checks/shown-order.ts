import { useMemo } from 'preact/hooks';
import { useFrozen, type Frozen } from '../../parts/rows/frozen.ts';
import { isSameOrder } from '../../parts/rows/selection.ts';
import { filterOf } from './filter.ts';
import { orderOf, sorted } from './order.ts';
import type { Rows } from './source.ts';

/**
 * Returns the order of the rows. The order is frozen while the pointer is over the rows, so that no row moves just
 * before a click.
 */
export const useShownOrder = (rows: Rows, line: string, found: ReadonlySet<string>): Frozen<readonly string[]> => {
  const all = useMemo(() => sorted(rows.values()), [rows]);
  const wanted = useMemo(() => orderOf(all, filterOf(line), found), [all, line, found]);
  return useFrozen(wanted, [line, found], isSameOrder);
};
