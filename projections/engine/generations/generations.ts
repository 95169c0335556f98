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
import { withSetAside } from '../fold/set-aside.ts';

type Collections = Readonly<Record<string, CollectionDeclaration>>;

/** The generation that readers of a projection version use; null before the first build has finished. */
export const liveGeneration = async (
  coordination: Pick<Coordination, 'catalogue'>,
  projection: AnyProjection,
): Promise<Generation | null> => {
  const key = projectionKey(projection);
  const entry = (await coordination.catalogue()).find((candidate) => candidate.projection === key);
  return entry?.live == null ? null : { projection: key, number: entry.live };
};

/** Checkpoint of a generation; null if it does not exist or was never committed. */
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

/** A unique number for the next generation of a projection; create it with `makeGeneration`. */
export const nextGeneration = async (
  projection: AnyProjection,
  { readStore, coordination, lease }: { readStore: ReadStore; coordination: Coordination; lease: WriterLease },
): Promise<Generation> => {
  const key = projectionKey(projection);
  // A catalogue that was restored from a backup may not know all existing ones.
  const found = (await readStore.list()).filter((generation) => generation.projection === key);
  const taken = new Set(found.map(({ number }) => number));
  let number = await coordination.nextGeneration(key, lease.token);
  while (taken.has(number)) number = await coordination.nextGeneration(key, lease.token);
  return { projection: key, number };
};

/**
 * Creates a generation to be built. Its indexes are created at the end, because that is faster; but a projection that
 * searches its own documents needs them from the start.
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
 * Opens an already committed generation for writing, with the indexes that the code declares.
 *
 * @returns its checkpoint: further than before if its last writer had not finished
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
