import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { FilterMatches } from '../engine/matching.ts';
import type { ReadScope } from '../engine/scope.ts';
import { createFilter, readOverviewChecks, type OverviewFilters } from '../overview/rows.ts';

/**
 * Finds up to `limit` ids of checks that match an overview filter, in the order of the overview, and the total number
 * of matches.
 */
export const findMatchingChecks = async (
  scope: ReadScope,
  filters: OverviewFilters,
  limit: number,
): Promise<FilterMatches> => {
  const isFit = createFilter(filters);
  const ids = (await readOverviewChecks(scope))
    .filter((check) => isFit(check) && (filters.status?.includes(check.status) ?? true))
    .map(({ id }) => id);
  return { ids: ids.sort().slice(0, limit), total: ids.length };
};

/** The fields of a check that bulk changes need. */
export type FormerCheck = Pick<CheckDocument, 'id' | 'group_id' | 'position'>;

/** Number of documents per query. */
const PAGE = 250;

/** Returns those of the checks that belong to the organization, including deleted ones, by id. */
export const findFormerChecks = async (
  { read, organizationId }: ReadScope,
  ids: readonly string[],
): Promise<Map<string, FormerCheck & { isThere: boolean }>> => {
  const known = new Map<string, FormerCheck & { isThere: boolean }>();
  for (let first = 0; first < ids.length; first += PAGE) {
    const found = await read(checks).checks.pick(['id', 'group_id', 'position', 'deleted_at'], {
      where: { id: { $in: ids.slice(first, first + PAGE) }, organization_id: organizationId },
    });
    for (const { deleted_at, ...check } of found) known.set(check.id, { ...check, isThere: deleted_at === null });
  }
  return known;
};
