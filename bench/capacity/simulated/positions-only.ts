import type { Checkpoint, ReadStore } from '../../../stores/read-store/port.ts';

export interface PositionsOnly {
  readStore: ReadStore;
  /** returns the position that was stored most recently */
  stored: () => bigint;
}

/**
 * Creates a read store that stores only the position of one generation. It discards documents, because there would be
 * millions of them.
 */
export const createPositionsOnly = (): PositionsOnly => {
  let kept: Checkpoint | null = null;
  const nothing = async (): Promise<never[]> => [];
  const readStore: ReadStore = {
    open: async () => undefined,
    buildIndexes: async () => undefined,
    checkpoint: async () => kept,
    checkpoints: async (generations) => generations.map(() => kept),
    commit: async (_generation, _writes, checkpoint) => {
      if (kept && checkpoint.position < kept.position) throw new Error('The position went backwards.');
      kept = checkpoint;
    },
    get: nothing,
    find: nothing,
    count: async () => 0,
    sweep: async () => 0,
    size: async () => 0,
    list: nothing,
    drop: async () => undefined,
    close: async () => undefined,
  };
  return { readStore, stored: () => kept?.position ?? 0n };
};
