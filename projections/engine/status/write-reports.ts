import type { Writes } from '../../../stores/read-store/port.ts';

/** Changes in the documents that readers of a projection see. */
export interface WriteReport {
  /** name of the projection */
  projection: string;
  /** Position of the write. When the report arrives, the status of the projection has at least this position. */
  position: bigint;
  /**
   * Ids of the documents that were stored or deleted, by collection. `many` stands for more than {@link MOST_IDS} ids,
   * or unknown ids. `unknown` means that any document might have changed, for example after a rebuild, a restart, or a
   * failure of a store.
   */
  collections: WrittenCollections | 'unknown';
}

export type WrittenCollections = ReadonlyMap<string, readonly string[] | 'many'>;

/** Receives a report. Must not throw. */
export type WriteListener = (written: WriteReport) => void;

/**
 * Maximum number of ids of a collection in a report. If there are more ids, the report only says that the collection
 * has changed.
 */
export const MOST_IDS = 256;

/** Tells whether anybody listens for writes. */
export interface WriteDemand {
  readonly wanted: boolean;
  /** Calls the listener when `wanted` has changed. @returns a function that removes the listener */
  watch: (changed: () => void) => () => void;
}

/** Creates a demand that is set by its owner. */
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

/** The listeners for writes in one process. */
export interface WriteListeners {
  /** Tells whether there are any listeners. */
  demand: WriteDemand;
  /** Adds a listener. @returns a function that removes the listener */
  add: (listener: WriteListener) => () => void;
  report: (written: WriteReport) => void;
}

export const createWriteListeners = (): WriteListeners => {
  const listeners = new Set<WriteListener>();
  const demand = createWriteDemand();
  return {
    demand,
    add: (listener) => {
      // Wrap the function, because the same function might be added twice.
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

/** Collects the ids that commits write, until they are reported. */
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

  /** Returns what was collected since the previous call, or null if nothing was collected. */
  take(): WrittenCollections | null {
    if (this.#ids.size === 0) return null;
    const taken = [...this.#ids].map(([name, ids]) => [name, ids === 'many' ? ids : [...ids]] as const);
    this.#ids = new Map();
    return new Map(taken);
  }
}
