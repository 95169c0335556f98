import { eventTypes } from '../../domain/event-types.ts';
import type { Generation } from '../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection, type Collections, type Projection } from '../engine/fold/define.ts';
import { projectionReader, type QueriedStore } from '../engine/projection-reader.ts';
import type { ProjectionReader, Read } from '../readers.ts';

/** A folded read model. */
export interface FoldedModel {
  store: QueriedStore;
  generation: Generation;
}

/**
 * Returns a reader of read models that the projections' own handlers fold in memory.
 *
 * @param fold called once for each projection, when it is first read
 */
export const createPastRead = (fold: (projection: AnyProjection) => Promise<FoldedModel>): Read => {
  const folded = new Map<string, Promise<FoldedModel>>();
  const modelOf = (projection: AnyProjection): Promise<FoldedModel> => {
    const key = projectionKey(projection);
    const known = folded.get(key) ?? fold(projection);
    folded.set(key, known);
    known.catch(() => folded.delete(key));
    return known;
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return <C extends Collections>(projection: Projection<C, any>): ProjectionReader<C> => {
    const store = async (): Promise<QueriedStore> => (await modelOf(projection)).store;
    const reads: QueriedStore = {
      get: async (...query) => (await store()).get(...query),
      find: async (...query) => (await store()).find(...query),
      count: async (...query) => (await store()).count(...query),
    };
    return projectionReader(projection, reads, async (question) => question((await modelOf(projection)).generation));
  };
};

const categories = new Map<string, string>(
  Object.entries(eventTypes).flatMap(([category, events]) => Object.keys(events).map((type) => [type, category])),
);

/** Returns the categories of the events that a projection folds. */
export const categoriesOf = ({ on }: Pick<AnyProjection, 'on'>): string[] => [
  ...new Set(Object.keys(on as object).map((type) => categories.get(type) ?? '')),
];
