import type { RecordedEvent } from '../../domain/event.ts';
import {
  projectionKey,
  type AnyProjection,
  type Collections,
  type Projection,
} from '../../projections/engine/fold/define.ts';
import { foldInMemory } from '../../projections/engine/in-memory.ts';
import { projectionReader } from '../../projections/engine/projection-reader.ts';
import type { ProjectionReader, Read } from '../../projections/readers.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';
import type { Generation } from '../../stores/read-store/port.ts';

/**
 * Read models as of exactly these events: the projections' own handlers, folded in memory on first read.
 *
 * @param events in the order of the log
 */
export const pastRead = (events: readonly RecordedEvent[]): Read => {
  const readStore = createMemoryReadStore();
  const folded = new Map<string, Promise<Generation>>();
  const generationOf = (projection: AnyProjection): Promise<Generation> => {
    const key = projectionKey(projection);
    const known = folded.get(key) ?? foldInMemory(projection, projection.log === 'main' ? [events] : [], readStore);
    folded.set(key, known);
    return known;
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return <C extends Collections>(projection: Projection<C, any>): ProjectionReader<C> =>
    projectionReader(projection, readStore, async (question) => question(await generationOf(projection)));
};
