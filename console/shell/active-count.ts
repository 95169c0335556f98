import type { Schemas } from '../api/openapi.d.ts';
import type { StreamedChange } from '../live/stream-events.ts';

/** The active alerts of the organization. */
export interface ActiveAlertCount {
  count: number;
  /** ids of the active alerts; null: not all of them were loaded */
  ids: ReadonlySet<string> | null;
}

/**
 * Applies changes to the active alerts.
 *
 * @returns null if the alerts must be counted again
 */
export const activeCountAfter = (
  { ids }: ActiveAlertCount,
  changes: readonly StreamedChange[],
): ActiveAlertCount | null => {
  if (!ids) return null;
  const next = new Set(ids);
  for (const { id, change, row } of changes) {
    if (change !== 'deleted' && !row) return null;
    if (row && (row as Schemas['AlertRow']).is_active) next.add(id);
    else next.delete(id);
  }
  return { count: next.size, ids: next };
};
