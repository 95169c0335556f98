import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { Matching } from '../engine/matching.ts';
import type { Reading } from '../engine/scope.ts';
import { fits, overviewChecks, type OverviewFilters } from '../overview/rows.ts';

/** Ids of the checks that the overview shows for a filter, in their order: at most so many, and how many there are. */
export const matchingChecks = async (scope: Reading, filters: OverviewFilters, limit: number): Promise<Matching> => {
  const isFit = fits(filters);
  const ids = (await overviewChecks(scope))
    .filter((check) => isFit(check) && (filters.status?.includes(check.status) ?? true))
    .map(({ id }) => id);
  return { ids: ids.sort().slice(0, limit), total: ids.length };
};

/** What has to be known of a check to change it together with others. */
export type FormerCheck = Pick<CheckDocument, 'id' | 'group_id' | 'position'>;

/** How many documents are looked up at once. */
const PAGE = 250;

/** Those of these checks that the organization has, or had, by id. */
export const formerChecks = async (
  { read, organizationId }: Reading,
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
