import type { Db } from 'mongodb';
import { AWAITED, orUnavailable } from '../../mongodb/failures.ts';
import type { MongoDb } from '../../mongodb/database.ts';
import { indexedFields } from '../indexes.ts';
import { pageBoundsOf } from '../matches.ts';
import {
  ReadStoreUnavailable,
  StaleWriter,
  type CollectionDeclaration,
  type Document,
  type Generation,
  type ReadStore,
  type SharedCheckpoint,
  type Writes,
} from '../port.ts';
import { Refusals } from '../refusals.ts';
import { pathOf, pickFields, topLevelName } from '../values.ts';
import { documentsOf, makeCollection, makeIndexes, nameOf } from './collections.ts';
import {
  checkNames,
  Generations,
  idOf,
  type Declarations,
  type JournalEntry,
  type GenerationDocument,
} from './generations.ts';
import { findByIds, BatchedReads } from './batched-reads.ts';
import { Journals } from './journal.ts';
import { tooLargePacked, unpack, type PackedDocument } from './packing.ts';
import { expiredFilter, filterOf, sortOf, fieldPath } from './query.ts';
import { countingWrites, GenerationWriter, readCheckpoint } from './writer.ts';

/** Maximum number of writes in one bulk. */
const BULK = 1_000;

/** Projection of the fields that readers need. Only writers need the other fields. */
const SHOWN = { _id: 0, document: 1, escaped: 1 } as const;

export interface MongoReadStoreOptions {
  /** maximum number of writes in one bulk; only tests set this */
  bulk?: number;
}

/**
 * Opens read models in a MongoDB database, which may be stand-alone or a replica set. Each collection of a generation
 * is a MongoDB collection, and `generations` contains the metadata of generations. Any number of processes can read.
 * Only the process that last opened a generation under its lease can write to it.
 */
export const openMongoReadStore = (mongo: MongoDb, { bulk = BULK }: MongoReadStoreOptions = {}): ReadStore => {
  const { db } = mongo;
  const available = orUnavailable(mongo, ReadStoreUnavailable);
  const generations = new Generations(db);
  const writers = new Map<string, GenerationWriter>();
  const gathering = new BatchedReads();

  /**
   * @throws TypeError the collection was not declared
   * @throws GenerationMissing
   */
  const declarationOf = async (generation: Generation, name: string): Promise<CollectionDeclaration> => {
    const known = (await generations.declarations(generation)).get(name);
    // If the cached declarations lack the collection, another process may have added it.
    const declaration = known ?? (await generations.load(generation)).get(name);
    if (!declaration) throw new TypeError(`${generation.projection} has no collection ${name}.`);
    return declaration;
  };

  const collectionOf = async (generation: Generation, name: string) => {
    await declarationOf(generation, name);
    return documentsOf(db, generation, name);
  };

  /**
   * Returns the result of a read. If the result is empty, first checks that the generation exists, because a dropped
   * collection looks like an empty one.
   */
  const unlessDropped = async <T>(generation: Generation, isEmpty: boolean, response: T): Promise<T> => {
    if (isEmpty) await generations.load(generation);
    return response;
  };

  /**
   * Returns the writer of a generation that this process has opened. Throws StaleWriter for any other generation:
   * opening it here would take it away from the holder of the lease.
   */
  const writerOf = async (generation: Generation): Promise<GenerationWriter> => {
    const writer = writers.get(idOf(generation));
    if (writer) return writer;
    await generations.load(generation);
    throw new StaleWriter(generation);
  };

  const open: ReadStore['open'] = async (generation, collections, { deferIndexes = false, lease } = {}) => {
    checkNames(generation, Object.keys(collections));
    await generations.create(generation, collections);
    for (const [name, declaration] of Object.entries(collections)) {
      const documents = documentsOf(db, generation, name);
      await makeCollection(documents);
      if (!deferIndexes) await makeIndexes(documents, declaration);
    }
    const writer = new GenerationWriter({ db, generations, generation, lease: lease ?? null, bulk });
    await writer.takeOver();
    writers.set(idOf(generation), writer);
  };

  return {
    open: (...given) => available(() => open(...given), AWAITED),

    buildIndexes: (generation) =>
      available(async () => {
        for (const [name, declaration] of await generations.load(generation)) {
          await makeIndexes(documentsOf(db, generation, name), declaration);
        }
      }, AWAITED),

    checkpoint: (generation) =>
      available(async () => {
        await generations.declarations(generation);
        const found = await generations.documents.findOne(
          { _id: idOf(generation), dropped: false },
          { projection: { checkpoint: 1 }, useBigInt64: true },
        );
        if (!found) await generations.load(generation);
        return found?.checkpoint ? readCheckpoint(found.checkpoint) : null;
      }),

    checkpoints: (requested) =>
      available(async () => {
        const found = await generations.documents
          .find(
            { _id: { $in: requested.map(idOf) }, dropped: false },
            { projection: { checkpoint: 1, written: 1 }, batchSize: requested.length + 1, useBigInt64: true },
          )
          .toArray();
        const byId = new Map(found.map((stored) => [stored._id, sharedCheckpointOf(stored)]));
        return requested.map((generation) => byId.get(idOf(generation)) ?? null);
      }),

    commit: (generation, writes, checkpoint) =>
      available(async () => {
        const declarations = new Map<string, CollectionDeclaration>();
        for (const name of Object.keys(writes)) declarations.set(name, await declarationOf(generation, name));
        const entries = entriesOf(writes, declarations);
        await (await writerOf(generation)).commit(entries, checkpoint);
      }, AWAITED),

    get: (generation, collection, ids, { toCommit = false } = {}) =>
      available(async () => {
        const documents = await collectionOf(generation, collection);
        const requested = [...new Set(ids.filter((id) => typeof id === 'string'))];
        // Reads for a commit are not batched with other reads. The writer remembers the ids that exist.
        const found = toCommit ? await findByIds(documents, requested) : await gathering.find(documents, requested);
        if (toCommit) writers.get(idOf(generation))?.remember(collection, found.keys());
        const present = ids.flatMap((id) => found.get(id) ?? []).flatMap(shown);
        return unlessDropped(generation, found.size === 0 && !toCommit, present);
      }),

    find: (generation, collection, query) =>
      available(async () => {
        const { skip, limit } = pageBoundsOf(query);
        const filter = filterOf(query.where ?? {});
        const sort = sortOf(query.sort ?? {});
        const { fields } = query;
        const projection = fields ? projectionOf(fields) : SHOWN;
        const documents = await collectionOf(generation, collection);
        const found =
          limit === 0
            ? []
            : await documents.find(filter, { projection, sort, skip, limit: limit ?? 0, batchSize: BULK }).toArray();
        const response = fields
          ? found.map(({ _id: id, document }) => pickFields({ id, ...document }, fields) as unknown as Document)
          : found.flatMap(shown);
        return unlessDropped(generation, found.length === 0, response);
      }),

    count: (generation, collection, where = {}) =>
      available(async () => {
        const filter = filterOf(where);
        const count = await (await collectionOf(generation, collection)).countDocuments(filter);
        return unlessDropped(generation, count === 0, count);
      }),

    sweep: (generation, collection, before, limit) =>
      available(async () => {
        const field = (await declarationOf(generation, collection)).expires?.field;
        if (field === undefined) throw new TypeError(`${generation.projection} keeps ${collection} for ever.`);
        const documents = documentsOf(db, generation, collection);
        const expired = await documents
          .find(expiredFilter(field, before), { projection: { _id: 1 }, sort: sortOf({ [field]: 1 }), limit })
          .toArray();
        const removed = expired.map(({ _id }) => _id);
        if (removed.length > 0) {
          await documents.deleteMany({ _id: { $in: removed }, ...expiredFilter(field, before) });
          await generations.documents.updateOne({ _id: idOf(generation) }, countingWrites([{ collection }]));
        }
        return unlessDropped(generation, removed.length === 0, removed.length);
      }, AWAITED),

    size: (generation) =>
      available(async () => {
        let bytes = 0;
        for (const name of (await generations.load(generation)).keys()) {
          bytes += await sizeOf(db, nameOf(generation, name));
        }
        return bytes;
      }),

    list: () => available(() => generations.list()),

    drop: (generation, lease) =>
      available(async () => {
        await generations.drop(generation, lease);
        writers.delete(idOf(generation));
        await new Journals(db).clear(idOf(generation));
      }, AWAITED),

    close: async () => {
      writers.clear();
    },
  };
};

const sharedCheckpointOf = ({
  checkpoint,
  written,
}: Pick<GenerationDocument, 'checkpoint' | 'written'>): SharedCheckpoint | null =>
  checkpoint && {
    ...readCheckpoint(checkpoint),
    // The driver returns numbers beyond 32 bits as bigint.
    ...(written && { written: Object.fromEntries(Object.entries(written).map(([name, n]) => [name, Number(n)])) }),
  };

const shown = ({ document, escaped }: Partial<PackedDocument>): Document[] =>
  document ? [unpack({ document, ...(escaped && { escaped }) })] : [];

/**
 * Returns a projection of the requested fields, so that an index can serve the query. `_id`, which is the field `id`,
 * is included only if requested.
 */
const projectionOf = (fields: readonly string[]) => ({
  _id: 0,
  ...Object.fromEntries(fields.map((field) => [fieldPath(topLevelName(field)), 1])),
});

/**
 * Returns the final write of each document: an earlier write of the same document has no effect.
 *
 * @throws DocumentsRefused
 */
const entriesOf = (writes: Writes, declarations: Declarations): JournalEntry[] => {
  const entries = new Map<string, JournalEntry>();
  const refusals = new Refusals();
  for (const [collection, list] of Object.entries(writes)) {
    const declaration = declarations.get(collection);
    const paths = declaration ? indexedFields(declaration).map(pathOf) : [];
    for (const write of list) {
      const id = 'put' in write ? write.put.id : write.delete;
      const document = 'put' in write ? refusals.textOf(collection, write.put, paths, tooLargePacked) : null;
      entries.set(`${collection}/${id}`, { collection, id, document });
    }
  }
  refusals.check();
  return [...entries.values()];
};

const sizeOf = async (db: Db, name: string): Promise<number> => {
  const { size = 0, totalIndexSize = 0 } = await db.command({ collStats: name });
  return Number(size) + Number(totalIndexSize);
};
