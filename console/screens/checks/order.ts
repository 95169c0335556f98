import { fulfils, type Filter, type Row } from './filter.ts';

const RANKS: Readonly<Record<Row['status'], number>> = { down: 0, pending: 1, up: 2, paused: 3 };

/** Failing checks first, those that went down last before others; all others by their names. */
const compare = (one: Row, other: Row): number => {
  if (one.status !== other.status) return RANKS[one.status] - RANKS[other.status];
  if (one.status === 'down' && one.since !== other.since) return (one.since ?? '') < (other.since ?? '') ? 1 : -1;
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.id < other.id ? -1 : 1;
};

/** Checks in the order in which they are shown. */
export const sorted = (rows: Iterable<Row>): readonly Row[] => [...rows].sort(compare);

/** Ids of the sorted checks that fulfil a filter. */
export const orderOf = (rows: readonly Row[], filter: Filter, found: ReadonlySet<string>): readonly string[] =>
  rows.filter((row) => fulfils(row, filter, found)).map(({ id }) => id);
