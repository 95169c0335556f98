import type { RemoteRunners } from '../../runners/worker/live-runners.ts';
import type { Hub } from './hub.ts';
import type { RunnerRegistry } from './registry.ts';

/** The parts of a process that concern remote runners. They are set after the parts that use them were created. */
export interface Remote extends RemoteRunners {
  /** null if this process does not need the registry */
  registry: RunnerRegistry | null;
  /** null if no runner can connect to this process */
  hub: Hub | null;
}

export const createRemote = (): Remote => {
  const remote: Remote = {
    registry: null,
    hub: null,
    presences: () => remote.hub?.presences() ?? [],
    regions: () => remote.registry?.remoteRegions() ?? new Set<string>(),
  };
  return remote;
};
