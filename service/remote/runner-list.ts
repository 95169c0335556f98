import { unreachable } from '../../domain/decider.ts';
import type { RunnerEvent } from '../../domain/runner/events.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { RunnerDocument } from '../../projections/runners/projection.ts';
import type { ServingRunner } from './cut-off-regions.ts';

interface Entry extends ServingRunner {
  isRevoked: boolean;
  /** whether this runner no longer reserves its region, so that the built-in runner may serve the region */
  isReleased: boolean;
}

/** All runners, in memory. They are the documents of the read model, plus later events of the log. */
export interface RunnerList {
  add: (document: RunnerDocument) => void;
  /**
   * Applies an event.
   *
   * @returns whether the regions of runners have changed
   */
  apply: (event: RunnerEvent & Pick<RecordedEvent, 'metadata'>) => boolean;
  /** returns the ids of the regions of runners that are not released */
  remoteRegions: () => ReadonlySet<string>;
  /** returns the runners that are not revoked */
  serving: () => readonly ServingRunner[];
}

export const createRunnerList = (): RunnerList => {
  const entries = new Map<string, Entry>();

  const change = (id: string, changes: Partial<Entry>): void => {
    const entry = entries.get(id);
    if (entry) entries.set(id, { ...entry, ...changes });
  };

  return {
    add: ({ id, organization_id, name, region, private: isPrivate, ...document }) => {
      const wasConnected = document.last_connected !== null;
      const [isRevoked, isReleased] = [document.revoked_at !== null, document.released];
      entries.set(id, { organization_id, name, region, private: isPrivate, wasConnected, isRevoked, isReleased });
    },
    apply: ({ data, type, metadata }) => {
      const { runner_id: id } = data;
      switch (type) {
        case 'RunnerCreated': {
          // The documents may already contain events after the position from which the log is followed.
          if (entries.has(id)) return true;
          const { name, region, private: isPrivate } = data;
          const made = { organization_id: metadata.organization_id ?? '', name, region, private: isPrivate };
          entries.set(id, { ...made, wasConnected: false, isRevoked: false, isReleased: false });
          return true;
        }
        case 'RunnerRevoked':
          change(id, { isRevoked: true });
          return true;
        case 'RunnerReleased':
          change(id, { isReleased: true });
          return true;
        case 'RunnerRenamed':
          change(id, { name: data.name });
          return false;
        case 'RunnerConnected':
          change(id, { wasConnected: true });
          return false;
        case 'RunnerTokenRotated':
        case 'RunnerTokenConfirmed':
        case 'RunnerDisconnected':
          return false;
        default:
          return unreachable(type);
      }
    },
    remoteRegions: () =>
      new Set([...entries.values()].filter(({ isReleased }) => !isReleased).map(({ region }) => region)),
    serving: () => [...entries.values()].filter(({ isRevoked }) => !isRevoked),
  };
};
