import { eventTypes } from '../../domain/event-types.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Generation, ReadStore } from '../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection, type Collections, type Projection } from '../engine/fold/define.ts';
import { foldInMemory } from '../engine/in-memory.ts';
import { projectionReader } from '../engine/projection-reader.ts';
import type { ProjectionReader, Read } from '../readers.ts';

export interface PastReadOptions {
  /** The events of a projection up to the moment, in the order of its log. */
  eventsOf: (projection: AnyProjection) => Promise<readonly RecordedEvent[]>;
  /** an empty store in memory */
  openStore: () => ReadStore;
}

/**
 * Read models as they were after exactly these events: the projections' own handlers, folded in memory when they
 * are first read.
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

/** The categories of the events that a projection folds. */
export const categoriesOf = ({ on }: Pick<AnyProjection, 'on'>): string[] => [
  ...new Set(Object.keys(on as object).map((type) => categories.get(type) ?? '')),
];
