import type { Document, Generation, ReadStore } from '../../stores/read-store/port.ts';
import type { CollectionReader, ProjectionReader } from '../readers.ts';
import type { Collections, Projection } from './fold/define.ts';

/** Runs a query on the generation that readers use. */
export type Ask = <T>(question: (generation: Generation) => Promise<T>) => Promise<T>;

/** Reads the collections of a projection; each time `ask` chooses the generation. */
export const projectionReader = <C extends Collections>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  { collections }: Projection<C, any>,
  readStore: ReadStore,
  ask: Ask,
): ProjectionReader<C> => {
  const reader = (name: string): CollectionReader<Document> => ({
    get: async (id) => (await ask((generation) => readStore.get(generation, name, [id])))[0] ?? null,
    getMany: (ids) => ask((generation) => readStore.get(generation, name, ids)),
    find: (query) => ask((generation) => readStore.find(generation, name, query)),
    pick: (fields, query) => ask((generation) => readStore.find(generation, name, { ...query, fields })),
    count: (where) => ask((generation) => readStore.count(generation, name, where)),
  });
  return Object.fromEntries(Object.keys(collections).map((name) => [name, reader(name)])) as ProjectionReader<C>;
};
