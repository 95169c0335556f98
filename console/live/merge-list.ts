import type { StreamedChange } from './stream-events.ts';

/**
 * Returns a list after changes of its resources: changed rows are replaced in place, new matches are appended, and rows
 * that no longer match are removed.
 *
 * @param belongs whether a row is part of the list
 * @returns null: a change lacks its row, so the list must be reloaded
 */
export const mergedList = <Row extends { id: string }>(
  rows: readonly Row[],
  changes: readonly StreamedChange[],
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
