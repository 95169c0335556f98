import { alertMatches, type Filter, type Row } from './filter.ts';

/** A page of the list, including changes received after the page was loaded. */
export interface AlertPage {
  /** by id: the loaded rows, and rows received afterwards; some of these rows may no longer match the filter */
  rows: ReadonlyMap<string, Row>;
  /** number of alerts that match the filter */
  total: number;
  hasNext: boolean;
}

/**
 * Applies changed rows to a page. An alert that newly matches the filter is added to the first page.
 *
 * @returns the page; null if alerts of the next page would move up to this page, so that the page must be reloaded
 */
export const withRows = (page: AlertPage, newer: readonly Row[], filter: Filter): AlertPage | null => {
  const rows = new Map(page.rows);
  let { total } = page;
  for (const row of newer) {
    const before = rows.get(row.id);
    const [was, is] = [before !== undefined && alertMatches(before, filter), alertMatches(row, filter)];
    if (before === undefined && filter.page > 1) continue;
    if (before === undefined && !is) {
      if (page.hasNext && mayHaveLeft(row, filter)) return null;
      continue;
    }
    if (was && !is && page.hasNext) return null;
    rows.set(row.id, row);
    total += Number(is) - Number(was);
  }
  return { ...page, rows, total };
};

/**
 * Returns whether an alert that does not match a filter now might have matched it before. The status of an alert
 * changes only in one direction: from firing to acknowledged to resolved.
 */
const mayHaveLeft = ({ status }: Row, filter: Filter): boolean =>
  status !== 'firing' && filter.status !== 'resolved' && filter.status !== 'all';

/** Returns the ids of the alerts that match a filter, newest first. */
export const orderOf = ({ rows }: AlertPage, filter: Filter): readonly string[] =>
  [...rows.values()]
    .filter((row) => alertMatches(row, filter))
    .sort((one, other) => compare(other.fired_at, one.fired_at) || compare(other.id, one.id))
    .map(({ id }) => id);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
