import type { CheckTypeName } from '../../domain/check/events.ts';
import { defaultRegionOf, type LiveRunners, type Region } from '../../domain/check/regions.ts';
import type { RunnerPresence } from '../../domain/runner/presence.ts';

/** The remote runners that are connected to this process. */
export interface RemoteRunners {
  /** returns the connected processes of these runners */
  presences: () => readonly RunnerPresence[];
  /**
   * returns the ids of the regions that the built-in runner leaves to remote runners, whether these are connected or
   * not
   */
  regions: () => ReadonlySet<string>;
}

/**
 * Returns what the runners of this process can run: the built-in runner, and the remote runners that are connected to
 * it.
 *
 * @param served the regions of the built-in runner in the order of the configuration; the built-in runner runs the same
 * types in each of these regions
 */
export const runnersOfProcess = (
  served: readonly Region[],
  types: readonly CheckTypeName[],
  remote: RemoteRunners,
): LiveRunners => ({
  defaultRegion: defaultRegionOf(served),
  abilities: async () => {
    const left = remote.regions();
    const builtIn = served.filter(({ id }) => !left.has(id)).map(({ id }) => [id, types] as const);
    return new Map<string, readonly CheckTypeName[]>([...builtIn, ...abilitiesOf(remote.presences())]);
  },
  presences: async () => remote.presences(),
});

/** Returns the types that runners can run, by region id. */
export const abilitiesOf = (
  present: readonly Pick<RunnerPresence, 'region' | 'types'>[],
): Map<string, readonly CheckTypeName[]> => {
  const abilities = new Map<string, readonly CheckTypeName[]>();
  for (const { region, types } of present)
    abilities.set(region, [...new Set([...(abilities.get(region) ?? []), ...types])]);
  return abilities;
};
