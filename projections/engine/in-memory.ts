import type { RecordedEvent } from '../../domain/event.ts';
import type { Checkpoint, Document, Generation, ReadStore } from '../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection, type Collections, type FoldStore } from './fold/define.ts';
import { Folding } from './fold/folding.ts';
import { withSetAside } from './fold/set-aside.ts';

/** Existing documents, and the log position up to which they are folded. */
export interface FoldStart {
  checkpoint: Checkpoint;
  documents: Readonly<Record<string, readonly Document[]>>;
}

const FROM_THE_START: FoldStart = { checkpoint: { log_id: '', position: 0n, event_id: null }, documents: {} };

const RECENT_DOCUMENTS = 1_000;

/**
 * Folds events into a read model in memory, independently of the engine.
 *
 * @param pages all events that the projection folds, after the position of the start, in log order
 * @param readStore an empty store in memory
 */
export const foldInMemory = async (
  projection: AnyProjection,
  pages: Iterable<readonly RecordedEvent[]> | AsyncIterable<readonly RecordedEvent[]>,
  readStore: FoldStore & Pick<ReadStore, 'open'>,
  { checkpoint, documents }: FoldStart = FROM_THE_START,
): Promise<Generation> => {
  const generation = { projection: projectionKey(projection), number: 1 };
  await readStore.open(generation, withSetAside(projection.collections as Collections));
  const copied = Object.entries(documents).map(
    ([name, all]) => [name, all.map((document) => ({ put: document }))] as const,
  );
  if (copied.length > 0) await readStore.commit(generation, Object.fromEntries(copied), checkpoint);
  const folding = new Folding({
    projection,
    generation,
    readStore,
    checkpoint,
    retainedFrom: null,
    recentDocuments: RECENT_DOCUMENTS,
  });
  for await (const events of pages) await folding.fold(events);
  await folding.commit();
  return generation;
};
