import type { AnyProjection, Collections } from '../projections/engine/fold/define.ts';
import type { CollectionReader, ProjectionReader } from '../projections/readers.ts';
import type { Document, Generation, ReadStore } from '../stores/read-store/port.ts';

/** Reads one generation of a projection, which is made when it is first read. */
export const readerOf = <C extends Collections>(
  projection: AnyProjection,
  readStore: ReadStore,
  generation: () => Promise<Generation>,
): ProjectionReader<C> => {
  const names = Object.keys(projection.collections as Collections);
  const reader = (name: string): CollectionReader<Document> => ({
    get: async (id) => (await readStore.get(await generation(), name, [id]))[0] ?? null,
    getMany: async (ids) => readStore.get(await generation(), name, ids),
    find: async (query) => readStore.find(await generation(), name, query),
    pick: async (fields, query) => readStore.find(await generation(), name, { ...query, fields }),
    count: async (where) => readStore.count(await generation(), name, where),
  });
  return Object.fromEntries(names.map((name) => [name, reader(name)])) as ProjectionReader<C>;
};
