import { eventTypes } from '../../domain/event-types.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Generation, ReadStore } from '../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection, type Collections, type Projection } from '../engine/fold/define.ts';
import { foldInMemory } from '../engine/in-memory.ts';
import { projectionReader } from '../engine/projection-reader.ts';
import type { ProjectionReader, Read } from '../readers.ts';

export interface PastReadOptions {
  /** Reads the events of a projection up to the past moment, in the order of its log. */
  eventsOf: (projection: AnyProjection) => Promise<readonly RecordedEvent[]>;
  /** Opens an empty store in memory. */
  openStore: () => ReadStore;
}

/**
 * Creates read models of a past moment. Each projection is folded in memory by its own handlers when it is first read.
 */
export const createPastRead = ({ eventsOf, openStore }: PastReadOptions): Read => {
  const readStore = openStore();
  const folded = new Map<string, Promise<Generation>>();
  const fold = async (projection: AnyProjection): Promise<Generation> =>
    foldInMemory(projection, [await eventsOf(projection)], readStore);
  const generationOf = (projection: AnyProjection): Promise<Generation> => {
    const key = projectionKey(projection);
    const known = folded.get(key) ?? fold(projection);
    folded.set(key, known);
    known.catch(() => folded.delete(key));
    return known;
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return <C extends Collections>(projection: Projection<C, any>): ProjectionReader<C> =>
    projectionReader(projection, readStore, async (question) => question(await generationOf(projection)));
};

const categories = new Map<string, string>(
  Object.entries(eventTypes).flatMap(([category, events]) => Object.keys(events).map((type) => [type, category])),
);

/** Returns the categories of the events that a projection folds. */
export const categoriesOf = ({ on }: Pick<AnyProjection, 'on'>): string[] => [
  ...new Set(Object.keys(on as object).map((type) => categories.get(type) ?? '')),
];
