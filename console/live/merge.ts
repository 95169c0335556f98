import type { Change } from './news.ts';

/**
 * A list after changes of its resources: rows that changed are replaced where they stand, those that belong to it now
 * are added at its end, and those that do no more are removed.
 *
 * @param belongs whether a row is one of the list
 * @returns null: a change has no row, so the list has to be loaded again
 */
export const mergedList = <Row extends { id: string }>(
  rows: readonly Row[],
  changes: readonly Change[],
  belongs: (row: Row) => boolean,
): Row[] | null => {
  const merged = new Map(rows.map((row) => [row.id, row]));
  for (const { id, change, row } of changes) {
    if (change === 'deleted') {
      merged.delete(id);
      continue;
    }
    if (!row) return null;
    const next = row as unknown as Row;
    if (belongs(next)) merged.set(id, next);
    else merged.delete(id);
  }
  return [...merged.values()];
};
