import type { Instant } from '../../domain/time.ts';
import { hourOf, NO_OUTCOMES, outcomesOf, type Outcomes } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { findDeletedChecks, hasCheck } from '../checks/find.ts';
import { grouped, inOrder } from '../../domain/grouped.ts';
import type { Scope } from '../engine/scope.ts';
import { bucketsBetween } from './buckets.ts';
import { later, regionId, requestedPeriod, type ResultFilters } from './filters.ts';

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now' | 'resultsFrom'>;

/** Result counts of one bucket and region. */
export interface StatusBucket extends Outcomes {
  timestamp: Instant;
  region: string;
}

interface StatusBuckets {
  /** length of a bucket */
  bucket_seconds: number;
  status_history: StatusBucket[];
}

export interface StatusFilters extends Pick<ResultFilters, 'start_date' | 'end_date' | 'region'> {
  /** Counts only the results of this check. If the check does not exist, no results are counted. */
  check_id?: string;
}

/** Result counts of one hour and region. Counts that must be subtracted are negative. */
interface Counted extends Outcomes {
  hour: Instant;
  region: string;
}

/**
 * Counts the results of one check, or of all checks that are not deleted, by bucket and region. Buckets are whole
 * hours. The default period is the last seven days.
 */
export const statusBuckets = async (scope: QueryScope, filters: StatusFilters): Promise<StatusBuckets> => {
  const { now } = scope;
  const { from, to = now } = requestedPeriod(scope, filters);
  const hours = await counted(scope, filters.check_id, {
    hour: { $gte: hourOf(from), $lte: to },
    ...(filters.region !== undefined && { region: regionId(filters.region) }),
  });
  const { seconds, startOf } = bucketsBetween(from, to < now && to > from ? to : later(now, from));
  const groups = inOrder(grouped(hours, ({ hour, region }) => `${startOf(hour)} ${region}`));
  return {
    bucket_seconds: seconds,
    status_history: groups
      .map(([, group]) => {
        const [{ hour, region } = { hour: from, region: '' }] = group;
        return { timestamp: startOf(hour), region, ...sum(group) };
      })
      .filter(({ ok, down, failed }) => ok + down + failed > 0),
  };
};

/** Reads result counts by hour and region, of one check or of all checks. Subtracts the counts of deleted checks. */
const counted = async (scope: QueryScope, checkId: string | undefined, where: Where): Promise<Counted[]> => {
  const { check_hours, organization_hours } = scope.read(checkResults);
  const ofChecks = async (which: Where, sign: 1 | -1): Promise<Counted[]> =>
    (await check_hours.find({ where: { ...where, ...which } })).map(({ hour, region, tallies }) => {
      const { ok, down, failed } = outcomesOf(tallies);
      return { hour, region, ok: sign * ok, down: sign * down, failed: sign * failed };
    });
  if (checkId !== undefined) return (await hasCheck(scope, checkId)) ? ofChecks({ check_id: checkId }, 1) : [];
  const deleted = await findDeletedChecks(scope);
  return [
    ...(await organization_hours.find({ where: { ...where, organization_id: scope.organizationId } })),
    ...(deleted.length === 0 ? [] : await ofChecks({ check_id: { $in: deleted } }, -1)),
  ];
};

const sum = (all: readonly Outcomes[]): Outcomes =>
  all.reduce(
    (before, { ok, down, failed }) => ({
      ok: before.ok + ok,
      down: before.down + down,
      failed: before.failed + failed,
    }),
    NO_OUTCOMES,
  );
