import type { StreamedChange } from './stream-events.ts';

/**
 * Applies changes to a list. Replaces changed rows in place, appends new matches, and removes rows that no longer
 * match.
 *
 * @param belongs returns whether a row matches the list's filter
 * @returns the new list; null: a change came without its row, so the list must be reloaded
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
