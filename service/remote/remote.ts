import type { RemoteRunners } from '../../runners/worker/live-runners.ts';
import type { Hub } from './hub.ts';
import type { RunnerRegistry } from './registry.ts';

/** What a process knows of remote runners; it learns it after what asks for it was made. */
export interface Remote extends RemoteRunners {
  /** null: this process does not need to know of them */
  registry: RunnerRegistry | null;
  /** null: none can connect to this process */
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
