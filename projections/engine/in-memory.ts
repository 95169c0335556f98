import type { Pause } from '../../domain/concurrency/time-slices.ts';
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

/** Maximum number of cached documents of a collection. */
const RECENT_DOCUMENTS = 1_000;
/** Number of cached documents of a collection for each event, because preparing a large cache takes longer than a short fold. */
const DOCUMENTS_PER_EVENT = 4;

/**
 * Folds events into a read model in memory, independently of the engine.
 *
 * @param pages all events that the projection folds, after the position of the start, in log order
 * @param readStore an empty store in memory
 * @param most maximum number of events, if it is known; for a few events, a small cache of documents is prepared
 */
export const foldInMemory = async (
  projection: AnyProjection,
  pages: Iterable<readonly RecordedEvent[]> | AsyncIterable<readonly RecordedEvent[]>,
  readStore: FoldStore & Pick<ReadStore, 'open'>,
  { checkpoint, documents }: FoldStart = FROM_THE_START,
  most = RECENT_DOCUMENTS,
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
    recentDocuments: Math.min(RECENT_DOCUMENTS, 1 + most * DOCUMENTS_PER_EVENT),
  });
  for await (const events of pages) await folding.fold(events);
  await folding.commit();
  return generation;
};

/** Number of events that are folded without a pause. */
const EVENTS_PER_STEP = 100;

/** Divides events into steps for {@link foldInMemory}, with a pause after each step. */
export const inSteps = async function* (
  events: readonly RecordedEvent[],
  pause: Pause,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let first = 0; first < events.length; first += EVENTS_PER_STEP) {
    yield events.slice(first, first + EVENTS_PER_STEP);
    await pause();
  }
};
