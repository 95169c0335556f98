import type { Schemas } from '../../api/openapi.d.ts';
import type { Check, Result } from './source.ts';

/** How a check stands, as the list of checks has it. */
export type Standing = Schemas['OverviewRow']['status'];

export const standingOf = ({ active, status }: Pick<Check, 'active' | 'status'>): Standing =>
  active ? status : 'paused';

/** Since when it has been up or down; null: it is neither, or that is not known. */
export const sinceOf = (
  { active, status }: Pick<Check, 'active' | 'status'>,
  history: readonly Schemas['CheckStatus'][],
): string | null => {
  const current = history.find(({ ended_at }) => ended_at === null);
  return active && current?.status === status ? current.started_at : null;
};

/** What the newest failure says; null: the newest results of all regions are good, or nothing is known. */
export const failureOf = (results: readonly Result[]): string | null =>
  [...newestByRegion(results).values()].find(({ status }) => status !== 'ok')?.error_message ?? null;

/** The newest result of each region, by region. @param results newest first */
export const newestByRegion = (results: readonly Result[]): Map<string, Result> => {
  const newest = new Map<string, Result>();
  for (const result of results) {
    if (result.suspect || newest.has(result.check_server.region)) continue;
    newest.set(result.check_server.region, result);
  }
  return newest;
};

/** Whether alerts about it are silent now. */
export const isMuted = ({ muted_until }: Pick<Check, 'muted_until'>, now: number): boolean =>
  muted_until !== null && Date.parse(`${muted_until}Z`) > now;
