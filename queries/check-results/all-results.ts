import type { CheckTypeName } from '../../domain/check/events.ts';
import type { CheckResultDocument } from '../../projections/check-results/documents.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { findDeletedChecks, hasCheck } from '../checks/find.ts';
import type { RevealOptions } from '../checks/secrets.ts';
import { joinItems, readListing, type Listing, type Paging } from '../engine/listing.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';
import { anyOf, createdWithin } from '../engine/filters.ts';
import { filterConditions, requestedPeriod, type ResultFilters } from './filters.ts';
import { NEWEST_FIRST, createServerJoin, type JoinedResult } from './results.ts';

export interface AllResultsFilters extends ResultFilters {
  /** Matches only this result, even if it is older than the retention period. Other filters are ignored. */
  result_id?: string;
  check_id?: string;
  /** Matches any of these values. */
  check_type?: readonly CheckTypeName[];
  /** Matches any of these values. */
  result_type?: readonly ('regular' | 'on_demand')[];
  execution_group_id?: string;
  /** Matches results that are, or are not, part of a parallel run in several regions. */
  is_multi_region?: boolean;
  has_alerts?: boolean;
}

export interface ResultOfAll extends JoinedResult {
  /** Null for a run of an unsaved definition. */
  check_name: string | null;
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now' | 'resultsFrom'>;

/**
 * Lists results of the organization's checks, and of runs of unsaved definitions, newest first. Omits results of
 * deleted checks. The default period is the last seven days.
 */
export const listAllResults = async (
  scope: QueryScope,
  filters: AllResultsFilters,
  paging: Paging,
  revealing: RevealOptions,
): Promise<Listing<ResultOfAll>> => {
  const found =
    filters.result_id === undefined
      ? await listed(scope, filters, paging)
      : await only(scope, filters.result_id, paging);
  return joinItems(found, async (items) => {
    const [withServer, checkOf] = await Promise.all([
      createServerJoin(scope, items, revealing),
      checksById(
        scope,
        items.flatMap(({ check_id }) => check_id ?? []),
      ),
    ]);
    return (result) => {
      const check = result.check_id === null ? undefined : checkOf.get(result.check_id);
      return {
        ...withServer(result),
        check_name: check?.name ?? null,
        check_created_at: check?.created_at ?? null,
      };
    };
  });
};

const EMPTY_LIST = { items: [], total: 0 };

const listed = async (
  scope: QueryScope,
  filters: AllResultsFilters,
  paging: Paging,
): Promise<Listing<CheckResultDocument>> => {
  const { check_id, check_type, result_type, execution_group_id, is_multi_region, has_alerts } = filters;
  if (check_id !== undefined && !(await hasCheck(scope, check_id))) return EMPTY_LIST;
  const deleted = check_id === undefined ? await findDeletedChecks(scope) : [];
  const { from, to } = requestedPeriod(scope, filters);
  const where: Where = {
    organization_id: scope.organizationId,
    ...createdWithin(from, to),
    ...filterConditions(filters),
    ...(check_id !== undefined && { check_id }),
    ...(deleted.length > 0 && { check_id: { $nin: deleted } }),
    ...(check_type && { check_type: anyOf(check_type) }),
    ...(result_type && { result_type: anyOf(result_type.map((one) => (one === 'regular' ? null : one))) }),
    ...(execution_group_id !== undefined && { execution_group_id }),
    ...(is_multi_region !== undefined && {
      $or: [{ execution_group_id: is_multi_region ? { $ne: null } : null }],
    }),
    ...(has_alerts === false && { has_alerts: null }),
  };
  const { check_results, alerted_results } = scope.read(checkResults);
  return readListing(has_alerts === true ? alerted_results : check_results, { where, sort: NEWEST_FIRST }, paging);
};

/** Returns a list with only this result, or an empty list. */
const only = async (scope: ReadScope, resultId: string, { page }: Paging): Promise<Listing<CheckResultDocument>> => {
  const result = await scope.read(checkResults).check_results.get(resultId);
  if (result?.organization_id !== scope.organizationId) return EMPTY_LIST;
  if (result.check_id !== null && !(await hasCheck(scope, result.check_id))) return EMPTY_LIST;
  return { items: page === 1 ? [result] : [], total: 1 };
};

const checksById = async (
  { read }: Pick<Scope, 'read'>,
  ids: readonly string[],
): Promise<Map<string, CheckDocument>> => {
  const found = ids.length === 0 ? [] : await read(checks).checks.getMany([...new Set(ids)]);
  return new Map(found.map((check) => [check.id, check]));
};
