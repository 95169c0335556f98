import type { Runner } from './source.ts';

/** What needs attention comes first. */
const ORDER: readonly Runner['state'][] = ['silent', 'waiting', 'connected', 'revoked'];

/** Runners by state, region and name. */
export const inOrder = (runners: readonly Runner[]): Runner[] =>
  [...runners].sort(
    (one, other) =>
      ORDER.indexOf(one.state) - ORDER.indexOf(other.state) ||
      one.region.localeCompare(other.region) ||
      one.name.localeCompare(other.name),
  );

/**
 * The names of private locations by the ids of their regions: that of the oldest runner which is not revoked, as
 * `GET /v1/checks/get-regions` has it; where all are revoked, that of the oldest one.
 */
export const locationNames = (
  runners: readonly Pick<Runner, 'name' | 'region' | 'private' | 'created_at' | 'revoked_at'>[],
): ReadonlyMap<string, string> => {
  const oldestFirst = runners
    .filter((runner) => runner.private)
    .sort(
      (one, other) =>
        Number(one.revoked_at !== null) - Number(other.revoked_at !== null) ||
        one.created_at.localeCompare(other.created_at),
    );
  const names = new Map<string, string>();
  for (const { region, name } of oldestFirst) if (!names.has(region)) names.set(region, name);
  return names;
};

/** A clock that is further off is worth mentioning, milliseconds. The times of results don't depend on it. */
const NOTABLE_OFFSET_MS = 1_000;

/** By how many seconds a runner's clock is ahead, where that is worth mentioning; null: it is not, or not known. */
export const notableOffset = ({ clock_offset_ms: offset }: Pick<Runner, 'clock_offset_ms'>): number | null =>
  offset === null || Math.abs(offset) < NOTABLE_OFFSET_MS ? null : offset / 1_000;
