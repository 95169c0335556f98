import type { CheckTypeName } from '../../domain/check/events.ts';
import { defaultRegionOf, type LiveRunners, type Region } from '../../domain/check/regions.ts';

/**
 * What the workers of this single process can do: each served region runs the same types.
 *
 * @param served in the order of the configuration
 */
export const runnersOfProcess = (served: readonly Region[], types: readonly CheckTypeName[]): LiveRunners => {
  const abilities = new Map(served.map((region) => [region.id, types]));
  return { defaultRegion: defaultRegionOf(served), abilities: async () => abilities };
};
