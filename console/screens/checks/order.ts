import { checkMatches, type Filter, type Row } from './filter.ts';

const RANKS: Readonly<Record<Row['status'], number>> = { down: 0, pending: 1, up: 2, paused: 3 };

/** Failing checks first, most recent failure first; all others by name. */
const compare = (one: Row, other: Row): number => {
  if (one.status !== other.status) return RANKS[one.status] - RANKS[other.status];
  if (one.status === 'down' && one.since !== other.since) return (one.since ?? '') < (other.since ?? '') ? 1 : -1;
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.id < other.id ? -1 : 1;
};

/** Checks in display order. */
export const sorted = (rows: Iterable<Row>): readonly Row[] => [...rows].sort(compare);

/** Ids of the sorted checks that match a filter. */
export const orderOf = (rows: readonly Row[], filter: Filter, found: ReadonlySet<string>): readonly string[] =>
  rows.filter((row) => checkMatches(row, filter, found)).map(({ id }) => id);
