import type { ExecutionMode } from '../execution-group/events.ts';
import { derivedId } from '../identity.ts';
import { namedRegionsOf, regionsOf, type Region } from './regions.ts';

/** How a check runs in several regions at once (spec.md: multi_region_execution). */
export interface Parallel {
  enabled: boolean;
  execution_mode: ExecutionMode;
  /** regions picked by `random_n` */
  count?: number;
}

/** What parameters say about running in several regions at once; null if nothing. */
export const parallelOf = (parameters: Record<string, unknown>): Parallel | null =>
  (parameters['multi_region_execution'] as Parallel | undefined) ?? null;

/** The number of regions that a run takes place in. */
export const regionCountOf = (parameters: Record<string, unknown>): number => {
  const parallel = parallelOf(parameters);
  if (!parallel?.enabled) return 1;
  const length = Math.max(1, namedRegionsOf(parameters).length);
  return parallel.execution_mode === 'all' ? length : Math.min(parallel.count ?? length, length);
};

/** The regions of a run. */
export type Places =
  | { mode: null; region: Region }
  /** each once, in the order in which the definition names them */
  | { mode: ExecutionMode; regions: readonly Region[] };

/**
 * Where a run goes: a parallel one to all of its regions or a random subset, any other to one, which
 * `turn` picks. The subset is derived from the run's id, so a run that is started again picks the same.
 */
export const placesOf = (
  runId: string,
  parameters: Record<string, unknown>,
  defaultRegion: Region,
  turn: (regions: readonly [Region, ...Region[]]) => Region,
): Places => {
  const [first = defaultRegion, ...more] = regionsOf(parameters, defaultRegion);
  const regions: [Region, ...Region[]] = [first, ...more];
  const parallel = parallelOf(parameters);
  if (!parallel?.enabled) return { mode: null, region: turn(regions) };
  if (parallel.execution_mode === 'all') return { mode: 'all', regions };
  const lots = new Map(regions.map((region) => [region, derivedId(`lot/${runId}/${region.id}`)]));
  const drawn = [...regions].sort((one, other) => ((lots.get(one) ?? '') < (lots.get(other) ?? '') ? -1 : 1));
  const picked = new Set(drawn.slice(0, parallel.count ?? regions.length));
  return { mode: 'random_n', regions: regions.filter((region) => picked.has(region)) };
};
