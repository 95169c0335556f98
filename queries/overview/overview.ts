import type { Paging } from '../engine/listing.ts';
import type { Scope } from '../engine/scope.ts';
import { checkActivity } from '../../projections/check-activity/projection.ts';
import { readOverviewStatistics, NO_STATISTICS, type OverviewStatistics } from './statistics.ts';
import { orderBy, needsStatistics, type Sort } from './order.ts';
import {
  createFilter,
  findOverviewChecks,
  ROW_MODELS,
  type OverviewCheck,
  type OverviewFilters,
  type ShownStatus,
} from './rows.ts';

/** A row of the overview. */
export type OverviewRow = Omit<OverviewCheck, 'texts' | 'sort_name'> & OverviewStatistics;

export interface Overview {
  /** Rows of the requested page. */
  items: OverviewRow[];
  /** Number of rows on all pages. */
  total: number;
  /** Number of checks by status. The checks match all filters, except that the filter by status is ignored. */
  counts: Record<ShownStatus, number>;
}

/** The read models that an overview is read from. */
export const OVERVIEW_MODELS: readonly string[] = [...ROW_MODELS, checkActivity.name];

interface OverviewQuery {
  filters: OverviewFilters;
  sort: Sort;
  paging: Paging;
  /** Aborted when the caller does not wait any more. */
  signal?: AbortSignal;
}

const rowOf = (check: OverviewCheck, figures: OverviewStatistics | undefined): OverviewRow => {
  const { id, name, type, group_id, tags, managed_by, active, status, since, error_message } = check;
  const shown = { id, name, type, group_id, tags, managed_by, active, status, since, error_message };
  return { ...shown, ...(figures ?? NO_STATISTICS) };
};

/** Reads the rows of checks, in the order of `ids`. Omits checks of other organizations. */
export const readOverviewRows = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'now' | 'resultsFrom'>,
  ids: readonly string[],
): Promise<OverviewRow[]> => {
  const found = await findOverviewChecks(scope, ids);
  const figures = await readOverviewStatistics(
    scope,
    found.map(({ id }) => id),
  );
  return found.map((check) => rowOf(check, figures.get(check.id)));
};

/**
 * Reads a page of the overview of checks.
 *
 * @param all all checks of the organization (`readOverviewChecks`)
 * @throws the reason of the signal if it is aborted
 */
export const readOverview = async (
  scope: Pick<Scope, 'read' | 'now' | 'resultsFrom'>,
  all: readonly OverviewCheck[],
  { filters, sort, paging: { page, size }, signal }: OverviewQuery,
): Promise<Overview> => {
  const counts: Overview['counts'] = { down: 0, pending: 0, up: 0, paused: 0 };
  const found: OverviewCheck[] = [];
  const isFit = createFilter(filters);
  for (const check of all) {
    if (!isFit(check)) continue;
    counts[check.status] += 1;
    if (filters.status?.includes(check.status) ?? true) found.push(check);
  }
  const figuresFor = (checks: readonly OverviewCheck[]) =>
    readOverviewStatistics(
      scope,
      checks.map(({ id }) => id),
      signal,
    );
  const known = needsStatistics(sort) ? await figuresFor(found) : null;
  const sorted = found.map((check) => ({ check, figures: known?.get(check.id) ?? NO_STATISTICS })).sort(orderBy(sort));
  const skip = (page - 1) * size;
  const shown = (Number.isSafeInteger(skip) ? sorted.slice(skip, skip + size) : []).map(({ check }) => check);
  const figures = known ?? (await figuresFor(shown));
  return { items: shown.map((check) => rowOf(check, figures.get(check.id))), total: found.length, counts };
};
