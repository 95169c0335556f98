import type { Coordination } from '../../../stores/coordination/port.ts';
import {
  GenerationDamaged,
  GenerationMissing,
  type Checkpoint,
  type CollectionDeclaration,
  type Generation,
  type ReadStore,
  type WriterLease,
} from '../../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import { withSetAside } from '../fold/set-aside.ts';

type Collections = Readonly<Record<string, CollectionDeclaration>>;

/** Returns the generation that readers of a projection version use, or null before the first build has finished. */
export const liveGeneration = async (
  coordination: Pick<Coordination, 'catalogue'>,
  projection: AnyProjection,
): Promise<Generation | null> => {
  const key = projectionKey(projection);
  const entry = (await coordination.catalogue()).find((candidate) => candidate.projection === key);
  return entry?.live == null ? null : { projection: key, number: entry.live };
};

/** Reads the checkpoint of a generation. Returns null if the generation does not exist or was never committed. */
export const readCheckpointOf = async (
  readStore: Pick<ReadStore, 'checkpoint'>,
  generation: Generation,
): Promise<Checkpoint | null> => {
  try {
    return await readStore.checkpoint(generation);
  } catch (error) {
    if (error instanceof GenerationMissing) return null;
    throw error;
  }
};

/** Does the same as {@link readCheckpointOf}, but also returns null if the generation is damaged. */
export const readIntactCheckpointOf = (
  readStore: Pick<ReadStore, 'checkpoint'>,
  generation: Generation,
): Promise<Checkpoint | null> =>
  readCheckpointOf(readStore, generation).catch((error: unknown) => {
    if (error instanceof GenerationDamaged) return null;
    throw error;
  });

/** Assigns a unique number to the next generation of a projection. `makeGeneration` then creates the generation. */
export const nextGeneration = async (
  projection: AnyProjection,
  { readStore, coordination, lease }: { readStore: ReadStore; coordination: Coordination; lease: WriterLease },
): Promise<Generation> => {
  const key = projectionKey(projection);
  // A catalogue that was restored from a backup might not contain all existing generations.
  const found = (await readStore.list()).filter((generation) => generation.projection === key);
  const taken = new Set(found.map(({ number }) => number));
  let number = await coordination.nextGeneration(key, lease.token);
  while (taken.has(number)) number = await coordination.nextGeneration(key, lease.token);
  return { projection: key, number };
};

/**
 * Creates a generation to be built. Indexes are usually created at the end of the build, because this is faster. But if
 * the projection searches its own documents, it needs the indexes during the build, so this function creates them.
 */
export const makeGeneration = async (
  readStore: ReadStore,
  generation: Generation,
  projection: AnyProjection,
  lease: WriterLease,
): Promise<void> => {
  const deferIndexes = projection.searches === undefined;
  await readStore.open(generation, withSetAside(projection.collections as Collections), { deferIndexes, lease });
};

/**
 * Opens a committed generation for writing, and creates missing indexes.
 *
 * @returns the checkpoint. If the previous writer has just finished a commit, this checkpoint is ahead of one that was
 * read earlier.
 * @throws GenerationMissing
 */
export const openGeneration = async (
  readStore: ReadStore,
  generation: Generation,
  projection: AnyProjection,
  lease: WriterLease,
): Promise<Checkpoint> => {
  await readStore.open(generation, withSetAside(projection.collections as Collections), { lease });
  const checkpoint = await readStore.checkpoint(generation);
  if (!checkpoint) throw new GenerationMissing(generation);
  return checkpoint;
};
