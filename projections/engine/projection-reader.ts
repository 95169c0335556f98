import type { Document, Generation, ReadStore } from '../../stores/read-store/port.ts';
import { DocumentSetAside, type CollectionReader, type ProjectionReader } from '../readers.ts';
import type { Collections, Projection } from './fold/define.ts';
import { isSetAside, setAsideId } from './fold/set-aside.ts';

/** The methods of a read store that readers use. */
export type QueriedStore = Pick<ReadStore, 'get' | 'find' | 'count'>;

/** Runs a query on the generation that readers use. */
export type GenerationQuery = <T>(question: (generation: Generation) => Promise<T>) => Promise<T>;

/**
 * Creates readers of the collections of a projection. `ask` selects the generation of each read.
 *
 * @param mayBeAside returns whether documents might be set aside; if so, a document that is missing in its collection
 * is searched among the set-aside documents
 */
export const projectionReader = <C extends Collections>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  readStore: QueriedStore,
  ask: GenerationQuery,
  mayBeAside: () => boolean = () => false,
): ProjectionReader<C> => {
  const { collections } = projection;

  const refuseSetAside = async (name: string, id: string): Promise<null> => {
    const isAside = await ask((generation) => isSetAside(readStore, generation, name, id));
    if (isAside) throw new DocumentSetAside(projection.name, setAsideId(name, id));
    return null;
  };

  const reader = (name: string): CollectionReader<Document> => ({
    get: async (id) => {
      const [found] = await ask((generation) => readStore.get(generation, name, [id]));
      return found ?? (mayBeAside() ? refuseSetAside(name, id) : null);
    },
    getMany: (ids) => ask((generation) => readStore.get(generation, name, ids)),
    find: (query) => ask((generation) => readStore.find(generation, name, query)),
    pick: (fields, query) => ask((generation) => readStore.find(generation, name, { ...query, fields })),
    count: (where) => ask((generation) => readStore.count(generation, name, where)),
  });
  return Object.fromEntries(Object.keys(collections).map((name) => [name, reader(name)])) as ProjectionReader<C>;
};
