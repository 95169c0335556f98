import type { Writes } from '../../../stores/read-store/port.ts';

/** Changes in the documents that readers of a projection see. */
export interface WriteReport {
  /** name of the projection */
  projection: string;
  /** the status of the projection has this position, or a later one, when the report arrives */
  position: bigint;
  /**
   * Ids of the documents that were put or deleted, by collection. `many`: more than {@link MOST_IDS}, or unknown ones.
   * `unknown`: every document may have changed, for example after a rebuild, a restart, or a failure of a store.
   */
  collections: WrittenCollections | 'unknown';
}

export type WrittenCollections = ReadonlyMap<string, readonly string[] | 'many'>;

/** Must not throw. */
export type WriteListener = (written: WriteReport) => void;

/** Beyond this many ids of a collection, only the collection is reported. */
export const MOST_IDS = 256;

/** Whether there are listeners for what is written. */
export interface WriteDemand {
  readonly wanted: boolean;
  /** Calls back when that has changed. @returns ends the watch */
  watch: (changed: () => void) => () => void;
}

/** A demand that others set. */
export const createWriteDemand = (): WriteDemand & { set: (wanted: boolean) => void } => {
  const watching = new Set<() => void>();
  let current = false;
  return {
    get wanted() {
      return current;
    },
    watch: (changed) => {
      watching.add(changed);
      return () => watching.delete(changed);
    },
    set: (wanted) => {
      if (wanted === current) return;
      current = wanted;
      for (const changed of [...watching]) changed();
    },
  };
};

/** The listeners for what is written, in one process. */
export interface WriteListeners {
  /** whether there are any */
  demand: WriteDemand;
  /** @returns removes the listener */
  add: (listener: WriteListener) => () => void;
  report: (written: WriteReport) => void;
}

export const createWriteListeners = (): WriteListeners => {
  const listeners = new Set<WriteListener>();
  const demand = createWriteDemand();
  return {
    demand,
    add: (listener) => {
      // The same function may be added twice.
      const own: WriteListener = (written) => {
        listener(written);
      };
      listeners.add(own);
      demand.set(true);
      return () => {
        listeners.delete(own);
        demand.set(listeners.size > 0);
      };
    },
    report: (written) => {
      for (const listener of [...listeners]) listener(written);
    },
  };
};

/** Collects what commits write, until it is reported. */
export class WriteRecord {
  #ids = new Map<string, Set<string> | 'many'>();

  add(writes: Writes): void {
    for (const [collection, list] of Object.entries(writes)) {
      if (list.length === 0) continue;
      const ids = this.#ids.get(collection) ?? new Set();
      if (ids === 'many') continue;
      this.#ids.set(collection, ids);
      for (const write of list) {
        ids.add('put' in write ? write.put.id : write.delete);
        if (ids.size <= MOST_IDS) continue;
        this.addMany(collection);
        break;
      }
    }
  }

  addMany(collection: string): void {
    this.#ids.set(collection, 'many');
  }

  /** What was collected since the last call; null: nothing. */
  take(): WrittenCollections | null {
    if (this.#ids.size === 0) return null;
    const taken = [...this.#ids].map(([name, ids]) => [name, ids === 'many' ? ids : [...ids]] as const);
    this.#ids = new Map();
    return new Map(taken);
  }
}
