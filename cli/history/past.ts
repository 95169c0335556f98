import type { RecordedEvent } from '../../domain/event.ts';
import { projectionKey, type AnyProjection, type Collections } from '../../projections/engine/fold/define.ts';
import { Folding } from '../../projections/engine/fold/folding.ts';
import type { ProjectionReader, Read } from '../../projections/readers.ts';
import { readerOf } from '../../service/memory-reader.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';
import type { Generation, ReadStore } from '../../stores/read-store/port.ts';

/**
 * Read models as they were after some events and no others: the projections' own handlers, folded in
 * memory when they are first read.
 *
 * @param events in the order of the log
 */
export const pastRead = (events: readonly RecordedEvent[]): Read => {
  const readStore = createMemoryReadStore();
  const folded = new Map<string, Promise<Generation>>();

  return <C extends Collections>(projection: AnyProjection): ProjectionReader<C> => {
    const key = projectionKey(projection);
    const generation = (): Promise<Generation> => {
      const known = folded.get(key) ?? fold(readStore, projection, events);
      folded.set(key, known);
      return known;
    };
    return readerOf(projection, readStore, generation);
  };
};

const fold = async (
  readStore: ReadStore,
  projection: AnyProjection,
  events: readonly RecordedEvent[],
): Promise<Generation> => {
  const generation = { projection: projectionKey(projection), number: 1 };
  await readStore.open(generation, projection.collections as Collections);
  const folding = new Folding({
    projection,
    generation,
    readStore,
    checkpoint: { log_id: '', position: 0n, event_id: null },
    retainedFrom: null,
    recentDocuments: events.length,
  });
  await folding.fold(projection.log === 'main' ? events : []);
  await folding.commit();
  return generation;
};
