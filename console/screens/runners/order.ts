import type { Runner } from './source.ts';

/** Those that need attention first. */
const ORDER: readonly Runner['state'][] = ['silent', 'waiting', 'connected', 'revoked'];

/** Runners by state, region and name. */
export const sortedRunners = (runners: readonly Runner[]): Runner[] =>
  [...runners].sort(
    (one, other) =>
      ORDER.indexOf(one.state) - ORDER.indexOf(other.state) ||
      one.region.localeCompare(other.region) ||
      one.name.localeCompare(other.name),
  );

/**
 * Returns the names of private locations by region id: the name of the oldest runner that is not revoked, as in `GET
 * /v1/checks/get-regions`, or of the oldest one if all are revoked.
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

/** Clock offsets from which a warning is shown, in milliseconds. The times of results do not depend on them. */
const NOTABLE_OFFSET_MS = 1_000;

/** By how many seconds a runner's clock is ahead, if notable; null: not notable, or unknown. */
export const notableOffset = ({ clock_offset_ms: offset }: Pick<Runner, 'clock_offset_ms'>): number | null =>
  offset === null || Math.abs(offset) < NOTABLE_OFFSET_MS ? null : offset / 1_000;
