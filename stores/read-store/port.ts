/** A JSON document; `id` is unique in its collection. Lone surrogates in strings are stored as U+FFFD. */
export interface Document {
  id: string;
}

/** Fields mapped to 1 (ascending) or -1; `id` always follows as tie-break. Dotted paths name nested fields. */
export type IndexDeclaration = Record<string, 1 | -1>;

export interface CollectionDeclaration {
  /** indexes to create; every document must contain every field named here, with a scalar value or null */
  indexes: readonly IndexDeclaration[];
  /**
   * True for documents of a few hundred bytes that are added often. SQLite then stores each in the B-tree of ids, so
   * that an insert changes one page instead of two. Other documents are stored separately from the B-tree of ids
   * (sqlite/schema.ts).
   */
  small?: boolean;
  /** removes documents when the instant in `field` is older than the retention, which is counted in whole UTC days */
  expires?: { field: string };
}

export type Scalar = string | number | boolean | null;

/**
 * Conditions on one field, joined by "and". `$contains` and `$prefix` ignore case by Unicode's simple case folding, and
 * match only strings. `$gte: null` and `$lte: null` match null; `$gt: null`, `$lt: null` and `$in: []` match nothing.
 */
export interface FieldCondition {
  $eq?: Scalar;
  $ne?: Scalar;
  $in?: readonly Scalar[];
  $nin?: readonly Scalar[];
  $gt?: Scalar;
  $gte?: Scalar;
  $lt?: Scalar;
  $lte?: Scalar;
  $contains?: string;
  $prefix?: string;
}

/**
 * The part of MongoDB's filter language that the API needs. Fields are joined by "and", and undefined conditions are
 * ignored.
 *
 * - A comparison matches only values of the same type. Strings are compared by UTF-8 bytes, and false is less than
 *   true. A missing field equals null.
 * - If a field contains an array, `$eq` and `$in` match if one of the elements does, `$ne` and `$nin` if none does.
 *   Other conditions on arrays are not supported, nor are paths that lead through arrays.
 * - An adapter throws a TypeError for an unknown operator, for an operand that is not a scalar, and for an invalid
 *   field name. A valid one consists of names joined by dots; names contain letters, digits, `_` and `-`.
 */
export type Where = {
  [field: string]: Scalar | FieldCondition | readonly Where[] | undefined;
  $and?: readonly Where[];
  $or?: readonly Where[];
};

export interface Query {
  where?: Where;
  /**
   * The order, by scalar fields: null, then numbers, strings and booleans. The tie-break is `id`, in the direction of
   * the last field. Default: by `id`.
   */
  sort?: Record<string, 1 | -1>;
  /** number of documents to skip; default: 0 */
  skip?: number;
  /** maximum number of documents; 0 returns nothing; default: no limit */
  limit?: number;
  /**
   * Names of the fields to return; a missing field is null. If one index contains these fields and those of the
   * conditions and the order, the store reads only the index.
   */
  fields?: readonly string[];
}

/** The position up to which a generation has folded its log. */
export interface Checkpoint {
  /** id of the log, which is the id of its first event */
  log_id: string;
  position: bigint;
  /** id of the event at `position`; null before the first event */
  event_id: string | null;
}

/** A checkpoint with information for readers in other processes. */
export interface SharedCheckpoint extends Checkpoint {
  /**
   * For each collection, a number that changes whenever its documents are written or swept. Collections that were never
   * written are absent. The whole map is absent in a store that belongs to one process, and in a generation to which
   * only an earlier release has written.
   */
  written?: Readonly<Record<string, number>>;
}

/** One build of a projection version, such as generation 3 of `incidents@1`. */
export interface Generation {
  /** name and version of the projection: `incidents@1` */
  projection: string;
  number: number;
}

/** The lease of a writer (Coordination). Each holder has a higher token than the previous one. */
export interface WriterLease {
  name: string;
  token: bigint;
}

export type Writes = Record<string, readonly Write[]>;
export type Write = { put: Document } | { delete: string };

/**
 * Stores the documents of read models by generation. Every adapter passes `test/contracts/read-store.ts`. Every method
 * except `open`, `checkpoints`, `list`, `drop` and `close` throws {@link GenerationMissing} for a generation that does
 * not exist. If the cause of a failure is the store and not the caller, the error is {@link ReadStoreUnavailable}.
 */
export interface ReadStore {
  /**
   * Creates the collections of a generation, or opens existing ones and updates their indexes to match the
   * declarations. With `deferIndexes`, for a rebuild without readers, missing indexes are created only by
   * `buildIndexes`.
   *
   * In a store that several processes share, a writer passes its lease. From then on, the store refuses commits of
   * other writers. The store also finishes an interrupted commit of the previous writer, so read the checkpoint after
   * this call. A store that belongs to one process needs no lease.
   *
   * @throws StaleWriter the generation was opened before under a later token of this lease
   * @throws GenerationMissing the generation is being dropped; its number is never reused
   */
  open(
    generation: Generation,
    collections: Readonly<Record<string, CollectionDeclaration>>,
    options?: { deferIndexes?: boolean; lease?: WriterLease },
  ): Promise<void>;
  buildIndexes(generation: Generation): Promise<void>;

  /** Returns the checkpoint; null before the first commit. */
  checkpoint(generation: Generation): Promise<Checkpoint | null>;
  /**
   * Returns the checkpoints of several generations, in the same order, with one read. Null also stands for a generation
   * that does not exist.
   */
  checkpoints(generations: readonly Generation[]): Promise<(SharedCheckpoint | null)[]>;

  /**
   * Writes documents and the checkpoint, atomically in effect. The position must grow from commit to commit; repeating
   * a commit changes nothing. The generation must be open.
   *
   * @throws DocumentsRefused some documents can't be stored, even if the commit is repeated; nothing was written
   * @throws TypeError a collection was not declared; nothing was written
   * @throws StaleWriter the generation was not opened here, or another writer has opened it afterwards; nothing was
   * changed
   */
  commit(generation: Generation, writes: Writes, checkpoint: Checkpoint): Promise<void>;

  /**
   * Returns documents in the order of `ids`; those that do not exist are left out.
   *
   * @param options `toCommit`: the caller reads the documents in order to commit changes to them. The read may then
   * return nothing for a missing generation instead of throwing, and the commit throws.
   */
  get(
    generation: Generation,
    collection: string,
    ids: readonly string[],
    options?: { toCommit?: boolean },
  ): Promise<Document[]>;
  /** Returns the documents that match a query; with `fields`, objects that contain only these fields. */
  find(generation: Generation, collection: string, query: Query): Promise<Document[]>;
  count(generation: Generation, collection: string, where?: Where): Promise<number>;

  /**
   * Removes at most `limit` documents whose instant in the expiry field is before `before`, oldest first. Documents
   * without an instant stay.
   *
   * @returns the number of documents removed
   */
  sweep(generation: Generation, collection: string, before: string, limit: number): Promise<number>;

  /** Returns the size of a generation: bytes on disk, or bytes of JSON for the store in memory. */
  size(generation: Generation): Promise<number>;
  /** Lists all existing generations, whether used or not, ordered by projection and number. */
  list(): Promise<Generation[]>;
  /**
   * Removes a generation. Readers that have opened it may be able to continue for a while. Does nothing if the
   * generation does not exist.
   *
   * @param lease the lease under which the generation was found to be unused
   * @throws StaleWriter a generation of the projection was opened under a later token of the lease, or this generation
   * was opened under this lease and then under another lease; nothing was changed. A store that belongs to one process
   * knows only what this process has opened
   */
  drop(generation: Generation, lease: WriterLease): Promise<void>;
  close(): Promise<void>;
}

/**
 * Maximum size of a document, in bytes of its JSON. MongoDB allows 16 MiB of BSON, and a document with many short
 * values is larger as BSON than as JSON. All stores have this limit, so that documents can be moved between stores.
 */
export const MAX_DOCUMENT_BYTES = 12 * 1_048_576;

/** A document that can't be stored, and the reason. */
export interface RefusedDocument {
  collection: string;
  id: string;
  /** a sentence */
  reason: string;
}

/**
 * All documents of a commit that can't be stored. A document can't be stored if it is larger than {@link
 * MAX_DOCUMENT_BYTES}, if a field that an index covers contains an array or an object, or if it is not JSON.
 */
export class DocumentsRefused extends TypeError {
  readonly documents: readonly RefusedDocument[];

  constructor(documents: readonly RefusedDocument[]) {
    super(documents.map(({ collection, id, reason }) => `${collection}/${id} can't be stored: ${reason}`).join(' '));
    this.name = 'DocumentsRefused';
    this.documents = documents;
  }
}

/** The generation was dropped, or does not exist yet: read the catalogue again (Coordination). */
export class GenerationMissing extends Error {
  readonly generation: Generation;

  constructor(generation: Generation) {
    super(`There is no generation ${generation.number} of ${generation.projection}.`);
    this.name = 'GenerationMissing';
    this.generation = generation;
  }
}

/**
 * Another writer has opened the generation. The caller must stop, and may start again with a new token of the lease.
 */
export class StaleWriter extends Error {
  constructor({ projection, number }: Generation) {
    super(`Generation ${number} of ${projection} is now written by another process.`);
    this.name = 'StaleWriter';
  }
}

/**
 * The store can't read or write (disk full, read-only file system, connection lost). The caller may repeat a commit.
 */
export class ReadStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadStoreUnavailable';
  }
}

/** The stored data of a generation differs from what was written. The generation must be rebuilt. */
export class GenerationDamaged extends ReadStoreUnavailable {
  readonly generation: Generation;

  constructor(generation: Generation, reason: string, options?: ErrorOptions) {
    super(`The read model ${generation.projection}.${generation.number} is damaged: ${reason}`, options);
    this.name = 'GenerationDamaged';
    this.generation = generation;
  }
}

/** A read store in memory that shares its documents with its callers, who must not change them. */
export interface ForkableReadStore extends ReadStore {
  /** Returns a store with the same documents. Later writes to one of the two stores do not affect the other. */
  fork: () => ForkableReadStore;
}
