import type { Schemas } from '../../api/openapi.d.ts';
import type { Check, Result } from './source.ts';

/** The status of a check, as in the check list. */
export type CheckState = Schemas['OverviewRow']['status'];

export const checkStateOf = ({ active, status }: Pick<Check, 'active' | 'status'>): CheckState =>
  active ? status : 'paused';

/**
 * Returns the time since which a check has been up or down. Returns null if the check is neither up nor down, or if the
 * time is unknown.
 */
export const sinceOf = (
  { active, status }: Pick<Check, 'active' | 'status'>,
  history: readonly Schemas['CheckStatus'][],
): string | null => {
  const current = history.find(({ ended_at }) => ended_at === null);
  return active && current?.status === status ? current.started_at : null;
};

/**
 * Returns the error message of a region whose newest result is a failure, or null if there is no such region or its
 * result has no message.
 */
export const failureOf = (results: readonly Result[]): string | null =>
  [...newestByRegion(results).values()].find(({ status }) => status !== 'ok')?.error_message ?? null;

/** Returns a map from each region to its newest result. @param results newest first */
export const newestByRegion = (results: readonly Result[]): Map<string, Result> => {
  const newest = new Map<string, Result>();
  for (const result of results) {
    if (result.suspect || newest.has(result.check_server.region)) continue;
    newest.set(result.check_server.region, result);
  }
  return newest;
};

/** Returns whether the alerts of a check are currently muted. */
export const isMuted = ({ muted_until }: Pick<Check, 'muted_until'>, now: number): boolean =>
  muted_until !== null && Date.parse(`${muted_until}Z`) > now;
