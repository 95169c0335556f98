import type { Coordination } from '../../../stores/coordination/port.ts';
import {
  GenerationMissing,
  type Checkpoint,
  type CollectionDeclaration,
  type Generation,
  type ReadStore,
  type WriterLease,
} from '../../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';

type Collections = Readonly<Record<string, CollectionDeclaration>>;

/** The generation that readers of a projection version use; null before the first build is done. */
export const liveGeneration = async (
  coordination: Pick<Coordination, 'catalogue'>,
  projection: AnyProjection,
): Promise<Generation | null> => {
  const key = projectionKey(projection);
  const entry = (await coordination.catalogue()).find((candidate) => candidate.projection === key);
  return entry?.live == null ? null : { projection: key, number: entry.live };
};

/** Where a generation stands; null where there is none, or none that was ever committed. */
export const checkpointOf = async (
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

/** The number of the next generation of a projection, which nobody else gets; to be made by `makeGeneration`. */
export const nextGeneration = async (
  projection: AnyProjection,
  { readStore, coordination, lease }: { readStore: ReadStore; coordination: Coordination; lease: WriterLease },
): Promise<Generation> => {
  const key = projectionKey(projection);
  // A catalogue that was restored from a backup may not know of all that is there.
  const found = (await readStore.list()).filter((generation) => generation.projection === key);
  const taken = new Set(found.map(({ number }) => number));
  let number = await coordination.nextGeneration(key, lease.token);
  while (taken.has(number)) number = await coordination.nextGeneration(key, lease.token);
  return { projection: key, number };
};

/**
 * Makes a generation, to be built. Its indexes are made at the end, since that is faster; but a projection
 * that searches its own documents needs them from the start.
 */
export const makeGeneration = async (
  readStore: ReadStore,
  generation: Generation,
  projection: AnyProjection,
  lease: WriterLease,
): Promise<void> => {
  const deferIndexes = projection.searches === undefined;
  await readStore.open(generation, projection.collections as Collections, { deferIndexes, lease });
};

/**
 * Opens a generation that was committed before to write it, with the indexes that the code declares.
 *
 * @returns where it stands: further than before, where whoever wrote it last had not finished
 * @throws GenerationMissing
 */
export const openGeneration = async (
  readStore: ReadStore,
  generation: Generation,
  projection: AnyProjection,
  lease: WriterLease,
): Promise<Checkpoint> => {
  await readStore.open(generation, projection.collections as Collections, { lease });
  const checkpoint = await readStore.checkpoint(generation);
  if (!checkpoint) throw new GenerationMissing(generation);
  return checkpoint;
};
