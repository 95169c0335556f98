import type { CheckTypeName } from '../../domain/check/events.ts';
import { defaultRegionOf, type LiveRunners, type Region } from '../../domain/check/regions.ts';
import type { RunnerPresence } from '../../domain/runner/presence.ts';

/** The remote runners of this process. */
export interface RemoteRunners {
  /** the connected ones */
  presences: () => readonly RunnerPresence[];
  /** ids of the regions that the built-in runner leaves to them, connected or not */
  regions: () => ReadonlySet<string>;
}

/**
 * The abilities of the built-in runner of this single process, and of the remote runners connected to it.
 *
 * @param served in the order of the configuration; the built-in runner runs the same types in each
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

/** The types that runners can run, by region id. */
export const abilitiesOf = (
  present: readonly Pick<RunnerPresence, 'region' | 'types'>[],
): Map<string, readonly CheckTypeName[]> => {
  const abilities = new Map<string, readonly CheckTypeName[]>();
  for (const { region, types } of present)
    abilities.set(region, [...new Set([...(abilities.get(region) ?? []), ...types])]);
  return abilities;
};
