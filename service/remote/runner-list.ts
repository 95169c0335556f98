import { unreachable } from '../../domain/decider.ts';
import type { RunnerEvent } from '../../domain/runner/events.ts';
import type { RunnerDocument } from '../../projections/runners/projection.ts';

interface Entry {
  /** id of the region */
  region: string;
  isRevoked: boolean;
  /** its region went back to the built-in runner, as far as it depends on this runner */
  isReleased: boolean;
}

/** The regions of all runners in memory: those of the read model, and what the log says after it. */
export interface RunnerList {
  add: (document: Pick<RunnerDocument, 'id' | 'region' | 'revoked_at' | 'released'>) => void;
  /** @returns whether a region has changed by it */
  apply: (event: RunnerEvent) => boolean;
  /** ids of the regions of those that are not released */
  remoteRegions: () => ReadonlySet<string>;
  /** ids of the regions of those that are not revoked */
  expectedRegions: () => ReadonlySet<string>;
}

export const createRunnerList = (): RunnerList => {
  const entries = new Map<string, Entry>();

  const change = (id: string, changes: Partial<Entry>): void => {
    const entry = entries.get(id);
    if (entry) entries.set(id, { ...entry, ...changes });
  };
  const regionsOf = (isOne: (entry: Entry) => boolean): ReadonlySet<string> =>
    new Set([...entries.values()].filter(isOne).map(({ region }) => region));

  return {
    add: ({ id, region, revoked_at, released }) => {
      entries.set(id, { region, isRevoked: revoked_at !== null, isReleased: released });
    },
    apply: ({ data, type }) => {
      const { runner_id: id } = data;
      switch (type) {
        case 'RunnerCreated':
          // Documents may be ahead of the position from which the log is followed.
          if (!entries.has(id)) entries.set(id, { region: data.region, isRevoked: false, isReleased: false });
          return true;
        case 'RunnerRevoked':
          change(id, { isRevoked: true });
          return true;
        case 'RunnerReleased':
          change(id, { isReleased: true });
          return true;
        case 'RunnerRenamed':
        case 'RunnerTokenRotated':
        case 'RunnerTokenConfirmed':
        case 'RunnerConnected':
        case 'RunnerDisconnected':
          return false;
        default:
          return unreachable(type);
      }
    },
    remoteRegions: () => regionsOf(({ isReleased }) => !isReleased),
    expectedRegions: () => regionsOf(({ isRevoked }) => !isRevoked),
  };
};
