import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import type { CheckTypeName } from './events.ts';
import { regionsOf, type Region } from './regions.ts';

/** Why a check whose regions have no live runner does not run (decisions.md: Checks). */
export const NO_RUNNER = 'No runner serves its region.';

/** What live runners can do at a moment. */
export interface Served {
  /** where checks run that name no region */
  defaultRegion: Region;
  /** by region id, the types that at least one live runner there can run */
  abilities: Pick<ReadonlyMap<string, readonly CheckTypeName[]>, 'get' | 'has'>;
}

/** A check, as needed to judge its regions. */
export interface Watched {
  active: boolean;
  type: CheckTypeName;
  /** seconds */
  interval: number;
  parameters: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant;
}

/**
 * Whether nothing was heard of an active check for twice its interval since its last change or result. A time in
 * the future comes from a clock that was wrong, and is ignored.
 */
export const isSilent = (check: Watched, lastCheckedAt: Instant | null, now: Instant): boolean => {
  if (!check.active) return false;
  const since = instantOf(millisecondsOf(now) - 2 * check.interval * 1_000);
  return ![check.created_at, check.updated_at, lastCheckedAt].some((at) => at !== null && since <= at && at <= now);
};

/** The regions of a check, if no live runner in any of them can run it; null if one can. */
export const regionsWithoutRunner = (
  { type, parameters }: Pick<Watched, 'type' | 'parameters'>,
  { defaultRegion, abilities }: Served,
): Region[] | null => {
  const regions = regionsOf(parameters, defaultRegion);
  return regions.some(({ id }) => abilities.get(id)?.includes(type)) ? null : regions;
};
