import { instantOf, millisecondsOf, SECOND_MS, type Instant } from '../time.ts';
import type { CheckTypeName } from './events.ts';
import { regionsOf, type Region } from './regions.ts';

/**
 * The reason that users see if a check does not run because no live runner serves its regions
 * (docs/reference/regions.md#silent-regions).
 */
export const NO_RUNNER = 'No runner serves its region.';

/** The regions that have live runners, and the check types that these runners can run. */
export interface ServedRegions {
  /** the region of checks that name no region */
  defaultRegion: Region;
  /** by region id: the types that at least one live runner of the region can run */
  abilities: Pick<ReadonlyMap<string, readonly CheckTypeName[]>, 'get' | 'has'>;
}

/** The fields of a check that {@link isSilent} and {@link regionsWithoutRunner} need. */
export interface SilenceCandidate {
  active: boolean;
  type: CheckTypeName;
  /** seconds between runs */
  interval: number;
  parameters: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant;
}

/**
 * Whether an active check has had neither a change nor a result for twice its interval. Ignores times in the future,
 * which come from a wrong clock.
 */
export const isSilent = (
  check: Pick<SilenceCandidate, 'active' | 'interval' | 'created_at' | 'updated_at'>,
  lastCheckedAt: Instant | null,
  now: Instant,
): boolean => {
  if (!check.active) return false;
  const since = instantOf(millisecondsOf(now) - 2 * check.interval * SECOND_MS);
  return ![check.created_at, check.updated_at, lastCheckedAt].some((at) => at !== null && since <= at && at <= now);
};

/** Returns the regions of a check if no live runner in any of them can run the check; otherwise null. */
export const regionsWithoutRunner = (
  { type, parameters }: Pick<SilenceCandidate, 'type' | 'parameters'>,
  { defaultRegion, abilities }: ServedRegions,
): Region[] | null => {
  const regions = regionsOf(parameters, defaultRegion);
  return regions.some(({ id }) => abilities.get(id)?.includes(type)) ? null : regions;
};
