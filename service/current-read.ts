import type { Document } from '../stores/read-store/port.ts';
import {
  projectionKey,
  type AnyProjection,
  type Collections,
  type Projection,
} from '../projections/engine/fold/define.ts';
import { Folding } from '../projections/engine/fold/folding.ts';
import { checkpointOf, liveGeneration } from '../projections/engine/generations/generations.ts';
import { misfit } from '../projections/engine/feed/log-marks.ts';
import type { ProjectionReader } from '../projections/readers.ts';
import type { Coordination } from '../stores/coordination/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { createMemoryReadStore } from '../stores/read-store/memory.ts';
import type { Checkpoint, Generation, ReadStore } from '../stores/read-store/port.ts';
import { readerOf } from './memory-reader.ts';

export interface CurrentReadStores {
  main: EventStore;
  readStore: ReadStore;
  coordination: Pick<Coordination, 'catalogue'>;
}

const PAGE = 1_000;

/**
 * A small read model as it is now, whether or not a service keeps it up to date: its documents are
 * copied into memory and what the log has after them is folded there.
 *
 * @param categories of the streams that the projection folds
 */
export const currentRead = async <C extends Collections>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  categories: readonly string[],
  stores: CurrentReadStores,
): Promise<ProjectionReader<C>> => {
  const memory = createMemoryReadStore();
  const generation = { projection: projectionKey(projection), number: 1 };
  await memory.open(generation, projection.collections);
  const checkpoint = await copyLive(projection, stores, memory, generation);
  const folding = new Folding({
    projection,
    generation,
    readStore: memory,
    checkpoint,
    retainedFrom: null,
    recentDocuments: PAGE,
  });
  for (let after = checkpoint.position; ;) {
    const events = await stores.main.readAll({ after, categories, limit: PAGE });
    const last = events.at(-1);
    if (!last) break;
    await folding.fold(events);
    after = last.position;
  }
  await folding.commit();
  return readerOf(projection, memory, async () => generation);
};

/** Copies the generation that readers use. @returns how far it is; the start where there is none to trust */
const copyLive = async (
  projection: AnyProjection,
  { main, readStore, coordination }: CurrentReadStores,
  memory: ReadStore,
  copy: Generation,
): Promise<Checkpoint> => {
  const live = await liveGeneration(coordination, projection);
  // Read before the documents: what is folded twice gives the same, what is left out does not.
  const checkpoint = live && (await checkpointOf(readStore, live));
  const start: Checkpoint = { log_id: '', position: 0n, event_id: null };
  if (!checkpoint || (await misfit(main, checkpoint)) !== null) return start;
  const writes: Record<string, { put: Document }[]> = {};
  for (const name of Object.keys(projection.collections as Collections)) {
    writes[name] = (await readStore.find(live, name, {})).map((document) => ({ put: document }));
  }
  await memory.commit(copy, writes, checkpoint);
  return checkpoint;
};
