import type { Runner } from './source.ts';

/** States in display order. The states that need attention come first. */
const ORDER: readonly Runner['state'][] = ['silent', 'waiting', 'connected', 'revoked'];

/** Sorts runners by state, region and name. */
export const sortedRunners = (runners: readonly Runner[]): Runner[] =>
  [...runners].sort(
    (one, other) =>
      ORDER.indexOf(one.state) - ORDER.indexOf(other.state) ||
      one.region.localeCompare(other.region) ||
      one.name.localeCompare(other.name),
  );

/**
 * Returns the names of private locations by region id. A private location has the name of its oldest runner that is not
 * revoked, as in `GET /v1/checks/get-regions`. If all runners of the location are revoked, the location has the name of
 * its oldest runner.
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

/**
 * Clock offset from which a warning is shown, in milliseconds. A wrong clock causes no error, because the times of
 * results do not depend on the runner's clock.
 */
const NOTABLE_OFFSET_MS = 1_000;

/**
 * Returns the offset of a runner's clock from the clock of the service, in seconds. Returns null if the offset is too
 * small for a warning, or unknown.
 */
export const notableOffset = ({ clock_offset_ms: offset }: Pick<Runner, 'clock_offset_ms'>): number | null =>
  offset === null || Math.abs(offset) < NOTABLE_OFFSET_MS ? null : offset / 1_000;
