import type { Collection, CreateIndexOptions, Db } from 'mongodb';
import { indexesOf } from '../indexes.ts';
import type { CollectionDeclaration, Generation, IndexDeclaration } from '../port.ts';
import { sortOf } from './query.ts';
import type { StoredDocument } from './stored-document.ts';

const COLLECTION = /^[A-Za-z][A-Za-z0-9_]*$/;
const STORED = /^([a-z][a-z0-9_]*@\d+)\.[A-Za-z][A-Za-z0-9_]*\.(\d+)$/;
const TOMBSTONE_SECONDS = 24 * 60 * 60;

/**
 * Returns the name of a MongoDB collection. For example, `incidents@1.incidents.3` contains the incidents of generation
 * 3 of incidents@1.
 */
export const nameOf = ({ projection, number }: Generation, collection: string): string => {
  const name = `${projection}.${collection}.${number}`;
  if (!COLLECTION.test(collection) || !STORED.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} is not a valid name of a collection.`);
  }
  return name;
};

/** Returns the generation that a MongoDB collection belongs to; null if it belongs to none. */
export const ownerOf = (name: string): Generation | null => {
  const [, projection, number] = STORED.exec(name) ?? [];
  return projection !== undefined && number !== undefined ? { projection, number: Number(number) } : null;
};

export const documentsOf = (db: Db, generation: Generation, collection: string): Collection<StoredDocument> =>
  db.collection<StoredDocument>(nameOf(generation, collection));

/** Creates a collection. MongoDB removes the tombstones of deleted documents in it after a day. */
export const makeCollection = (documents: Collection<StoredDocument>): Promise<void> =>
  makeIndex(documents, { deleted_at: 1 }, { expireAfterSeconds: TOMBSTONE_SECONDS, sparse: true });

/**
 * Creates declared indexes that are missing, one by one. Never removes an index, because a changed declaration belongs
 * to a new version of the projection.
 */
export const makeIndexes = async (
  documents: Collection<StoredDocument>,
  declaration: CollectionDeclaration,
): Promise<void> => {
  for (const index of indexesOf(declaration)) await makeIndex(documents, Object.fromEntries(sortOf(index)));
};

/**
 * Options without a time limit, because creating an index takes minutes if there are many documents. The driver accepts
 * this option, although its types don't declare it.
 */
const NO_TIMEOUT = { socketTimeoutMS: 0 } as CreateIndexOptions;

const makeIndex = async (
  documents: Collection<StoredDocument>,
  key: IndexDeclaration,
  options: { expireAfterSeconds?: number; sparse?: boolean } = {},
): Promise<void> => {
  await documents.createIndex(key, options, NO_TIMEOUT);
};

/** Returns the names of the collections of a database, in order. */
export const collectionNames = async (db: Db): Promise<string[]> => {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name);
};
