import { HOUR_MS, type Instant, instantOf, millisecondsOf } from '../../domain/time.ts';
import { hourOf, outcomesOf } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import { findChecksWithTag } from '../checks/tags.ts';
import type { Scope } from '../engine/scope.ts';
import type { Measurement } from './measurements.ts';

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now'>;

/** Maximum number of checks that are read for the tags of one page (docs/reference/components.md#measurements). */
export const MAX_TAGGED_CHECKS = 1_000;

/** Number of checks whose hours are read with one query. It is small, so that other requests run between queries. */
const AT_ONCE = 100;

/**
 * Finds the checks with tags, by tag. Stops after {@link MAX_TAGGED_CHECKS} checks in total: then the tag being read
 * lacks the checks with the highest ids, and all further tags are missing.
 *
 * @param tags tags without duplicates
 */
export const findChecksOfTags = async (
  scope: Pick<QueryScope, 'read' | 'organizationId'>,
  tags: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const byTag = new Map<string, readonly string[]>();
  const all = new Set<string>();
  for (const tag of tags) {
    if (all.size >= MAX_TAGGED_CHECKS) break;
    const ids: string[] = [];
    for (const id of await findChecksWithTag(scope, tag, MAX_TAGGED_CHECKS)) {
      if (all.size < MAX_TAGGED_CHECKS) all.add(id);
      if (all.has(id)) ids.push(id);
    }
    byTag.set(tag, ids);
  }
  return byTag;
};

/** Recent results of checks, by tag. */
export interface TagMeasurements {
  /** Start of the hour before the current one. */
  since: Instant;
  /**
   * Sums over all checks of a tag, ordered by the name of the region. Lacks the tags that {@link findChecksOfTags}
   * leaves out.
   */
  byTag: ReadonlyMap<string, readonly Measurement[]>;
}

/**
 * Sums up the results of all checks with some tags since the start of the previous hour. Reads two hourly sums for each
 * check and region, because the single results of an hour would be about a hundred times as many documents.
 */
export const readMeasurementsOfTags = async (scope: QueryScope, tags: readonly string[]): Promise<TagMeasurements> => {
  const since = instantOf(millisecondsOf(hourOf(scope.now)) - HOUR_MS);
  const checks = await findChecksOfTags(scope, tags);
  const found = await sumsSince(scope, [...new Set([...checks.values()].flat())], since);
  const byTag = new Map(
    [...checks].map(([tag, ids]) => {
      const regions = new Map<string, Measurement>();
      for (const one of ids.flatMap((id) => found.get(id) ?? [])) add(regions, one);
      return [tag, [...regions.values()].sort((a, b) => (a.region < b.region ? -1 : 1))] as const;
    }),
  );
  return { since, byTag };
};

/** Sums up the results of checks since the start of an hour, by check and region. */
const sumsSince = async (
  { read }: QueryScope,
  checkIds: readonly string[],
  since: Instant,
): Promise<ReadonlyMap<string, readonly Measurement[]>> => {
  const sums = new Map<string, Measurement[]>();
  const { check_hours } = read(checkResults);
  for (let at = 0; at < checkIds.length; at += AT_ONCE) {
    const where = { check_id: { $in: checkIds.slice(at, at + AT_ONCE) }, hour: { $gte: since } };
    for (const { check_id, region, tallies } of await check_hours.find({ where })) {
      const { ok, down, failed } = outcomesOf(tallies);
      const ofCheck = sums.get(check_id) ?? [];
      ofCheck.push({ region, runs: ok + down + failed, failed: down + failed });
      sums.set(check_id, ofCheck);
    }
  }
  return sums;
};

const add = (regions: Map<string, Measurement>, { region, runs, failed }: Measurement): void => {
  const known = regions.get(region);
  regions.set(region, { region, runs: (known?.runs ?? 0) + runs, failed: (known?.failed ?? 0) + failed });
};
