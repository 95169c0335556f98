import { parseCondition } from './conditions.ts';
import { indexedFields } from './indexes.ts';
import { documentOrderOf, pageBoundsOf, documentTestOf } from './matches.ts';
import { Openings } from './openings.ts';
import {
  GenerationMissing,
  type Checkpoint,
  type CollectionDeclaration,
  type Document,
  type ForkableReadStore,
  type Generation,
  type ReadStore,
  type Where,
} from './port.ts';
import { Refusals } from './refusals.ts';
import { compareText, encode, pathOf, pickFields } from './values.ts';

interface Stored {
  /** JSON text; null in a store that shares documents */
  text: string | null;
  document: Document;
}

interface Collection {
  declaration: CollectionDeclaration;
  documents: Map<string, Stored>;
  /** whether a fork might read the same map, so that it must be copied before a write */
  isShared: boolean;
}

interface StoredGeneration {
  generation: Generation;
  collections: Map<string, Collection>;
  checkpoint: Checkpoint | null;
  written: Record<string, number>;
}

/**
 * Creates a read store in memory, for tests and for `uptrail history`. Stores documents as JSON text and scans all of
 * them for each query.
 */
export const createMemoryReadStore = (): ReadStore => createMemoryStore(new Map(), false);

/**
 * Creates a read store for past states. It is several times as fast as `createMemoryReadStore`, because it does not
 * copy documents.
 */
export const createSharedMemoryReadStore = (): ForkableReadStore => createSharedStore(new Map());

const createSharedStore = (generations: Map<string, StoredGeneration>): ForkableReadStore => ({
  ...createMemoryStore(generations, true),
  fork: () =>
    createSharedStore(
      new Map(
        [...generations].map(([name, stored]) => {
          const collections = new Map(
            [...stored.collections].map(([collection, original]) => {
              original.isShared = true;
              return [collection, { ...original }];
            }),
          );
          return [name, { ...stored, collections, written: { ...stored.written } }];
        }),
      ),
    ),
});

const createMemoryStore = (generations: Map<string, StoredGeneration>, shares: boolean): ReadStore => {
  const openings = new Openings();

  const keptOf = (generation: Generation): StoredGeneration => {
    const stored = generations.get(nameOf(generation));
    if (!stored) throw new GenerationMissing(generation);
    return stored;
  };

  const collectionOf = (generation: Generation, name: string): Collection => {
    const found = keptOf(generation).collections.get(name);
    if (!found) throw new TypeError(`${generation.projection} has no collection ${name}.`);
    return found;
  };

  const matching = (collection: Collection, where: Where): Stored[] => {
    const test = documentTestOf(parseCondition(where));
    return [...collection.documents.values()].filter(({ document }) => test(document));
  };

  return {
    async open(generation, collections, { lease = null } = {}) {
      openings.open(generation, lease);
      const stored: StoredGeneration = generations.get(nameOf(generation)) ?? {
        generation: { ...generation },
        collections: new Map(),
        checkpoint: null,
        written: {},
      };
      for (const [name, declaration] of Object.entries(collections)) {
        const before = stored.collections.get(name) ?? { documents: new Map<string, Stored>(), isShared: false };
        stored.collections.set(name, { ...before, declaration });
      }
      generations.set(nameOf(generation), stored);
    },

    async buildIndexes(generation) {
      keptOf(generation);
    },

    async checkpoint(generation) {
      const { checkpoint } = keptOf(generation);
      return checkpoint && { ...checkpoint };
    },

    async checkpoints(asked) {
      return asked.map((generation) => {
        const stored = generations.get(nameOf(generation));
        if (!stored?.checkpoint) return null;
        const { checkpoint, written } = stored;
        return { ...checkpoint, written: { ...written } };
      });
    },

    async commit(generation, writes, checkpoint) {
      const stored = keptOf(generation);
      const refusals = new Refusals();
      const changes = Object.entries(writes).map(([name, list]) => {
        const collection = collectionOf(generation, name);
        const paths = indexedFields(collection.declaration).map(pathOf);
        return {
          collection,
          list: list.flatMap((write) => {
            if ('delete' in write) return write.delete;
            if (shares) return { text: null, document: write.put };
            const text = refusals.textOf(name, write.put, paths);
            return text === null ? [] : { text, document: JSON.parse(text) as Document };
          }),
        };
      });
      refusals.check();
      for (const { collection, list } of changes) {
        if (list.length === 0) continue;
        const documents = writableDocuments(collection);
        for (const write of list) {
          if (typeof write === 'string') documents.delete(write);
          else documents.set(write.document.id, write);
        }
      }
      for (const [name, list] of Object.entries(writes)) if (list.length > 0) countWrite(stored, name);
      stored.checkpoint = { ...checkpoint };
    },

    async get(generation, collection, ids) {
      const { documents } = collectionOf(generation, collection);
      return ids.flatMap((id) => documents.get(id) ?? []).map(decode);
    },

    async find(generation, collection, query) {
      const { skip, limit } = pageBoundsOf(query);
      const order = documentOrderOf(query.sort ?? {});
      const found = matching(collectionOf(generation, collection), query.where ?? {});
      found.sort((a, b) => order(a.document, b.document));
      const page = found.slice(skip, limit === null ? undefined : skip + limit).map(decode);
      const { fields } = query;
      return fields ? page.map((document) => pickFields(document, fields) as unknown as Document) : page;
    },

    async count(generation, collection, where = {}) {
      return matching(collectionOf(generation, collection), where).length;
    },

    async sweep(generation, name, before, limit) {
      const collection = collectionOf(generation, name);
      const field = collection.declaration.expires?.field;
      if (field === undefined) throw new TypeError(`${generation.projection} keeps ${name} for ever.`);
      const expired = matching(collection, { [field]: { $lt: before } });
      const order = documentOrderOf({ [field]: 1 });
      expired.sort((a, b) => order(a.document, b.document));
      const removed = expired.slice(0, limit);
      for (const { document } of removed) writableDocuments(collection).delete(document.id);
      if (removed.length > 0) countWrite(keptOf(generation), name);
      return removed.length;
    },

    async size(generation) {
      let bytes = 0;
      for (const { documents } of keptOf(generation).collections.values()) {
        for (const { text, document } of documents.values()) bytes += Buffer.byteLength(text ?? encode(document));
      }
      return bytes;
    },

    async list() {
      return [...generations.values()]
        .map(({ generation }) => ({ ...generation }))
        .sort((a, b) => compareText(a.projection, b.projection) || a.number - b.number);
    },

    async drop(generation, lease) {
      openings.drop(generation, lease);
      generations.delete(nameOf(generation));
    },

    async close() {
      generations.clear();
    },
  };
};

const nameOf = ({ projection, number }: Generation): string => `${projection}.${number}`;

/** Returns the documents of a collection for a write. Documents that a fork might read are copied first. */
const writableDocuments = (collection: Collection): Map<string, Stored> => {
  if (collection.isShared) {
    collection.documents = new Map(collection.documents);
    collection.isShared = false;
  }
  return collection.documents;
};

const countWrite = ({ written }: StoredGeneration, collection: string): void => {
  written[collection] = (written[collection] ?? 0) + 1;
};

const decode = ({ text, document }: Stored): Document => (text === null ? document : (JSON.parse(text) as Document));
