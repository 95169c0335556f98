import { HOUR_MS, instantOf, millisecondsOf } from '../../domain/time.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { Scope } from '../engine/scope.ts';
import { grouped } from '../../domain/grouped.ts';

type QueryScope = Pick<Scope, 'read' | 'now'>;

/** The results of a check in one region. */
export interface Measurement {
  region: string;
  runs: number;
  failed: number;
}

/** Maximum number of results that are read per check. Runs in six regions every 30 seconds produce 720 an hour. */
const MOST_RESULTS = 2_000;

/** Counts the results of checks in the last hour, by check. The regions of a check are ordered by name. */
export const readMeasurements = async (
  { read, now }: QueryScope,
  checkIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Measurement[]>> => {
  const since = instantOf(millisecondsOf(now) - HOUR_MS);
  const { check_results } = read(checkResults);
  const found = await Promise.all(
    checkIds.map(async (check_id) => {
      // The index contains these fields (projections/check-results), so no result document is read.
      const where = { check_id, created_at: { $gte: since } };
      const results = await check_results.pick(['region', 'status'], {
        where,
        sort: { created_at: -1 },
        limit: MOST_RESULTS,
      });
      const regions = [...grouped(results, ({ region }) => region)].sort(([a], [b]) => (a < b ? -1 : 1));
      return regions.map(([region, ofRegion]) => ({
        region,
        runs: ofRegion.length,
        failed: ofRegion.filter(({ status }) => status !== 'ok').length,
      }));
    }),
  );
  return new Map(checkIds.map((id, index) => [id, found[index] ?? []]));
};

/** Returns those of the checks that are down. */
export const findChecksDown = async (
  { read }: Pick<QueryScope, 'read'>,
  checkIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (checkIds.length === 0) return new Set();
  const where = { id: { $in: checkIds }, status: 'down', deleted_at: null };
  return new Set((await read(checks).checks.pick(['id'], { where })).map(({ id }) => id));
};
