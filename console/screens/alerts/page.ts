import { alertMatches, type Filter, type Row } from './filter.ts';

/** A page of the list, as loaded and as changed since. */
export interface AlertPage {
  /** by id: the loaded rows, and those added since; some may no longer match the filter */
  rows: ReadonlyMap<string, Row>;
  /** number of alerts that match the filter */
  total: number;
  hasNext: boolean;
}

/**
 * Returns a page with newer rows: an alert that newly matches joins the first page.
 *
 * @returns null: alerts of the next page move up, so the page must be reloaded
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
 * Returns whether an alert that does not match a filter may have matched before. Its status goes from firing to
 * acknowledged to resolved.
 */
const mayHaveLeft = ({ status }: Row, filter: Filter): boolean =>
  status !== 'firing' && filter.status !== 'resolved' && filter.status !== 'all';

/** Ids of the alerts that match a filter, newest first. */
export const orderOf = ({ rows }: AlertPage, filter: Filter): readonly string[] =>
  [...rows.values()]
    .filter((row) => alertMatches(row, filter))
    .sort((one, other) => compare(other.fired_at, one.fired_at) || compare(other.id, one.id))
    .map(({ id }) => id);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
