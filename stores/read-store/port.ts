/** A JSON document; `id` is unique in its collection. Lone surrogates in strings are stored as U+FFFD. */
export interface Document {
  id: string;
}

/** Fields mapped to 1 (ascending) or -1; `id` always follows as tie-break. Dotted paths name nested fields. */
export type IndexDeclaration = Record<string, 1 | -1>;

export interface CollectionDeclaration {
  /** every field named here is in each document and is scalar (null when empty) */
  indexes: readonly IndexDeclaration[];
  /**
   * For documents of some hundred bytes, of which many writes add one: SQLite stores them in the B-tree of their ids,
   * so that a write changes one page instead of two. Larger documents are stored separately from their ids
   * (sqlite/schema.ts).
   */
  small?: boolean;
  /** sweeps documents whose instant in `field` is older than the retention, in whole UTC days */
  expires?: { field: string };
}

export type Scalar = string | number | boolean | null;

/**
 * Conditions on one field, joined by "and". `$contains` and `$prefix` ignore case by Unicode's simple
 * case folding, and match only strings. `$gte` and `$lte` of null match null; `$gt` and `$lt`
 * of null match nothing; `$in` of an empty array matches nothing.
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
 * The small subset of MongoDB's filter language that the API needs; fields are joined by "and". Only values of the same
 * type can match in comparisons; strings compare by UTF-8 bytes, false before true; a missing field equals null. On a
 * field that contains an array, `$eq` and `$in` match if one of its elements does, `$ne` and `$nin` if none does; other
 * conditions on arrays are not part of the language, nor are paths that lead through arrays. Undefined conditions are
 * ignored. An adapter throws a TypeError for an unknown operator, for a field name other than names of letters, digits,
 * `_` and `-` joined by dots, and for an operand that is not a scalar.
 */
export type Where = {
  [field: string]: Scalar | FieldCondition | readonly Where[] | undefined;
  $and?: readonly Where[];
  $or?: readonly Where[];
};

export interface Query {
  where?: Where;
  /**
   * By scalar fields: null comes before numbers, then strings, then booleans. `id` follows as tie-break in the
   * direction of the last field. Default: by `id`.
   */
  sort?: Record<string, 1 | -1>;
  /** whole number, default 0 */
  skip?: number;
  /** whole number; 0 returns nothing; default: no limit */
  limit?: number;
  /**
   * Names of fields: results contain only these, null if one is missing. If an index covers them, the conditions and
   * the order, no document is read.
   */
  fields?: readonly string[];
}

/** How far a generation has folded its log. */
export interface Checkpoint {
  /** id of the log, which is the id of its first event */
  log_id: string;
  position: bigint;
  /** id of the event at `position`; null at the start */
  event_id: string | null;
}

/** A checkpoint as other processes read it. */
export interface SharedCheckpoint extends Checkpoint {
  /**
   * For each collection, a number that changes whenever documents of it are written or swept. Collections that never
   * were are absent. The whole map is absent in a store that belongs to one process, and while only an earlier release
   * has written.
   */
  written?: Readonly<Record<string, number>>;
}

/** One build of one projection version: `incidents@1`, generation 3. */
export interface Generation {
  /** name@version */
  projection: string;
  number: number;
}

/** The lease that a writer holds (Coordination); its tokens grow from holder to holder. */
export interface WriterLease {
  name: string;
  token: bigint;
}

export type Writes = Record<string, readonly Write[]>;
export type Write = { put: Document } | { delete: string };

/**
 * Documents of read models, by generation. Every adapter passes `test/contracts/read-store.ts`. Every method except
 * `open`, `checkpoints`, `list`, `drop` and `close` throws {@link GenerationMissing} for a generation that does not
 * exist. Failures that are not the caller's fault are {@link ReadStoreUnavailable}.
 */
export interface ReadStore {
  /**
   * Creates the collections of a generation, or opens them and updates their indexes to match the declarations. With
   * `deferIndexes`, which is for a rebuild without readers, only `buildIndexes` creates the declared indexes; existing
   * indexes stay. A writer passes its lease. A store that processes share first finishes an interrupted commit of the
   * previous writer, so read the checkpoint afterwards; from then on it refuses commits of other writers. A store that
   * belongs to one process needs no lease.
   *
   * @throws StaleWriter it was opened before under a later token of this lease
   * @throws GenerationMissing it is being dropped; no number is reused
   */
  open(
    generation: Generation,
    collections: Readonly<Record<string, CollectionDeclaration>>,
    options?: { deferIndexes?: boolean; lease?: WriterLease },
  ): Promise<void>;
  buildIndexes(generation: Generation): Promise<void>;

  /** Null before the first commit. */
  checkpoint(generation: Generation): Promise<Checkpoint | null>;
  /**
   * Checkpoints of several generations, in their order, from one read; null also for a generation that does not exist.
   */
  checkpoints(generations: readonly Generation[]): Promise<(SharedCheckpoint | null)[]>;

  /**
   * Writes documents by collection, in order, and the checkpoint, atomically in effect. The position grows from commit
   * to commit; repeating a commit changes nothing. The generation must be open.
   *
   * @throws DocumentsRefused some documents can never be stored; nothing was written
   * @throws TypeError a collection was not declared; nothing was written
   * @throws StaleWriter the generation was not opened here, or another writer has opened it since; nothing was changed
   */
  commit(generation: Generation, writes: Writes, checkpoint: Checkpoint): Promise<void>;

  /**
   * Documents in the order of `ids`; absent ones are left out.
   *
   * @param options `toCommit`: the caller will commit what it derives from them. Then a missing generation may be
   * noticed by the commit only: the read returns no documents and does not throw
   */
  get(
    generation: Generation,
    collection: string,
    ids: readonly string[],
    options?: { toCommit?: boolean },
  ): Promise<Document[]>;
  /** With `fields`, objects that contain only these. */
  find(generation: Generation, collection: string, query: Query): Promise<Document[]>;
  count(generation: Generation, collection: string, where?: Where): Promise<number>;

  /**
   * Removes at most `limit` documents whose instant in the expiry field is before `before`, oldest first; documents
   * without one stay.
   *
   * @returns how many were removed
   */
  sweep(generation: Generation, collection: string, before: string, limit: number): Promise<number>;

  /** Bytes on disk, or in memory as JSON. */
  size(generation: Generation): Promise<number>;
  /** Existing generations, in use or not, ordered by projection and number. */
  list(): Promise<Generation[]>;
  /**
   * Removes a generation. Readers that have it open may continue for a while; a missing generation is no error.
   *
   * @param lease the lease under which the generation was found to be unused
   * @throws StaleWriter this or another generation of the projection was opened under a later token of the lease, or
   * this one under this lease and then under another; nothing was changed. A store that belongs to one process knows
   * only of its own openings
   */
  drop(generation: Generation, lease: WriterLease): Promise<void>;
  close(): Promise<void>;
}

/**
 * Largest document, in bytes of its JSON. MongoDB allows 16 MiB of BSON, and documents of many short values take more
 * room as BSON than as JSON. All stores have the same limit, so that documents can move between them.
 */
export const MAX_DOCUMENT_BYTES = 12 * 1_048_576;

/** A document that can't be stored, with the reason. */
export interface RefusedDocument {
  collection: string;
  id: string;
  /** a sentence */
  reason: string;
}

/**
 * All documents of a commit that can't be stored. Each is over {@link MAX_DOCUMENT_BYTES}, has an array or an object in
 * a field that an index covers, or is not JSON.
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

/** Another writer has opened the generation; the caller must stop, and may start again under a later lease. */
export class StaleWriter extends Error {
  constructor({ projection, number }: Generation) {
    super(`Generation ${number} of ${projection} is now written by another process.`);
    this.name = 'StaleWriter';
  }
}

/** The store can't read or write (disk full, read-only file system, connection lost). A commit may be repeated. */
export class ReadStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadStoreUnavailable';
  }
}

/** The database of a generation differs from what was written: it must be rebuilt. */
export class GenerationDamaged extends ReadStoreUnavailable {
  readonly generation: Generation;

  constructor(generation: Generation, reason: string, options?: ErrorOptions) {
    super(`The read model ${generation.projection}.${generation.number} is damaged: ${reason}`, options);
    this.name = 'GenerationDamaged';
    this.generation = generation;
  }
}
