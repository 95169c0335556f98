import { whyCheckpointMisfits } from '../projections/engine/feed/log-marks.ts';
import type { AnyProjection, Collections, Projection } from '../projections/engine/fold/define.ts';
import { findSetAside, SET_ASIDE } from '../projections/engine/fold/set-aside.ts';
import { readCheckpointOf, liveGeneration } from '../projections/engine/generations/generations.ts';
import { foldInMemory, type FoldStart } from '../projections/engine/in-memory.ts';
import { projectionReader } from '../projections/engine/projection-reader.ts';
import type { ProjectionReader } from '../projections/readers.ts';
import type { Coordination } from '../stores/coordination/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { createMemoryReadStore } from '../stores/read-store/memory.ts';
import type { Document, ReadStore } from '../stores/read-store/port.ts';

export interface CurrentReadStores {
  main: EventStore;
  readStore: ReadStore;
  coordination: Pick<Coordination, 'catalogue'>;
}

const PAGE = 1_000;

/**
 * Opens a reader for the present content of a small read model, whether or not a service is running. Copies the
 * documents of the read model into memory. Then applies the events that the log contains after the checkpoint of these
 * documents.
 *
 * @param categories the categories of streams that the projection processes
 */
export const currentRead = async <C extends Collections>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  categories: readonly string[],
  stores: CurrentReadStores,
): Promise<ProjectionReader<C>> => {
  const beginning = await copyOfLive(projection, stores);
  const memory = createMemoryReadStore();
  const pages = pagesAfter(stores.main, beginning?.checkpoint.position ?? 0n, categories);
  const generation = await foldInMemory(projection, pages, memory, beginning);
  return projectionReader(projection, memory, (question) => question(generation));
};

async function* pagesAfter(log: EventStore, position: bigint, categories: readonly string[]) {
  for (let after = position; ;) {
    const events = await log.readAll({ after, categories, limit: PAGE });
    const last = events.at(-1);
    if (!last) return;
    yield events;
    after = last.position;
  }
}

/**
 * Returns the documents of the live generation; undefined if there is no live generation, or if its checkpoint belongs
 * to another log.
 */
const copyOfLive = async (
  projection: AnyProjection,
  { main, readStore, coordination }: CurrentReadStores,
): Promise<FoldStart | undefined> => {
  const live = await liveGeneration(coordination, projection);
  // Read the checkpoint before the documents. Some events may then be applied twice, which is harmless, but no event is
  // missed.
  const checkpoint = live && (await readCheckpointOf(readStore, live));
  if (!checkpoint || (await whyCheckpointMisfits(main, checkpoint)) !== null) return undefined;
  const documents: Record<string, Document[]> = {};
  for (const name of Object.keys(projection.collections as Collections)) {
    documents[name] = await readStore.find(live, name, {});
  }
  documents[SET_ASIDE] = await findSetAside(readStore, live);
  return { checkpoint, documents };
};
