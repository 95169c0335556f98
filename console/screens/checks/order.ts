import { checkMatches, type Filter, type Row } from './filter.ts';

const RANKS: Readonly<Record<Row['status'], number>> = { down: 0, pending: 1, up: 2, paused: 3 };

/**
 * Compares checks for display: failing checks come first, the most recent failure at the top. Checks of the same status
 * are sorted by name.
 */
const compare = (one: Row, other: Row): number => {
  if (one.status !== other.status) return RANKS[one.status] - RANKS[other.status];
  if (one.status === 'down' && one.since !== other.since) return (one.since ?? '') < (other.since ?? '') ? 1 : -1;
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.id < other.id ? -1 : 1;
};

/** Returns checks in display order. */
export const sorted = (rows: Iterable<Row>): readonly Row[] => [...rows].sort(compare);

/** Returns the ids of the checks that match a filter, in the given order. */
export const orderOf = (rows: readonly Row[], filter: Filter, found: ReadonlySet<string>): readonly string[] =>
  rows.filter((row) => checkMatches(row, filter, found)).map(({ id }) => id);
