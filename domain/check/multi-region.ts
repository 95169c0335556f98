import type { ExecutionMode } from '../execution-group/events.ts';
import { derivedId } from '../identity.ts';
import { namedRegionsOf, regionsOf, type Region } from './regions.ts';

/** The settings of a check that runs in several regions concurrently (docs/reference/regions.md#parallel-runs). */
export interface MultiRegionSettings {
  enabled: boolean;
  execution_mode: ExecutionMode;
  /** number of random regions in the mode `random_n`; default: all */
  count?: number;
}

/** Returns the multi-region settings in a check's parameters; null if there are none. */
export const multiRegionOf = (parameters: Record<string, unknown>): MultiRegionSettings | null =>
  (parameters['multi_region_execution'] as MultiRegionSettings | undefined) ?? null;

/** Returns the number of regions in which a run of the check is executed. */
export const regionCountOf = (parameters: Record<string, unknown>): number => {
  const parallel = multiRegionOf(parameters);
  if (!parallel?.enabled) return 1;
  const length = Math.max(1, namedRegionsOf(parameters).length);
  return parallel.execution_mode === 'all' ? length : Math.min(parallel.count ?? length, length);
};

/** The regions in which a run is executed. `mode` is null if the run is not a multi-region run. */
export type RunRegions =
  | { mode: null; region: Region }
  /** without duplicates, in the order of the definition */
  | { mode: ExecutionMode; regions: readonly Region[] };

/**
 * Selects the regions of a run. A multi-region run is executed in all regions of the check, or in a random subset. Any
 * other run is executed in the one region that `pickOne` selects. The subset is derived from the run id, so a run that
 * is started again gets the same subset.
 */
export const selectRegions = (
  runId: string,
  parameters: Record<string, unknown>,
  defaultRegion: Region,
  pickOne: (regions: readonly [Region, ...Region[]]) => Region,
): RunRegions => {
  const [first = defaultRegion, ...more] = regionsOf(parameters, defaultRegion);
  const regions: [Region, ...Region[]] = [first, ...more];
  const parallel = multiRegionOf(parameters);
  if (!parallel?.enabled) return { mode: null, region: pickOne(regions) };
  if (parallel.execution_mode === 'all') return { mode: 'all', regions };
  const ranks = new Map(regions.map((region) => [region, derivedId(`lot/${runId}/${region.id}`)]));
  const shuffled = [...regions].sort((one, other) => ((ranks.get(one) ?? '') < (ranks.get(other) ?? '') ? -1 : 1));
  const picked = new Set(shuffled.slice(0, parallel.count ?? regions.length));
  return { mode: 'random_n', regions: regions.filter((region) => picked.has(region)) };
};
