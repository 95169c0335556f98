/** A JSON document; `id` is unique in its collection. Lone surrogates in strings are stored as U+FFFD. */
export interface Document {
  id: string;
}

/** Fields to 1 (ascending) or -1; `id` always follows as tie-break. Dotted paths name nested fields. */
export type IndexDeclaration = Record<string, 1 | -1>;

export interface CollectionDeclaration {
  /** every field named here is in each document and is scalar (null when empty) */
  indexes: readonly IndexDeclaration[];
  /**
   * Documents have some hundred bytes each, and many writes add one: SQLite stores them in the tree of their ids, so
   * that a write changes one page and not two. Larger ones are stored apart from their ids (sqlite/schema.ts).
   */
  small?: boolean;
  /** documents whose instant in `field` lies more whole UTC days back than the retention are swept */
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
 * The small subset of MongoDB's filter language that the API needs; fields are joined by "and".
 * Only values of the same type can match in comparisons; strings compare by UTF-8 bytes, false before
 * true; a missing field equals null. On a field that holds an array, `$eq` and `$in` match if one of
 * its elements does, `$ne` and `$nin` if none does; other conditions on arrays are not part of the
 * language, nor are paths that lead through arrays. Conditions that are undefined are left out.
 *
 * An adapter throws a TypeError for an unknown operator, for a field name other than names of
 * letters, digits, `_` and `-` joined by dots, and for an operand that is not a scalar.
 */
export type Where = {
  [field: string]: Scalar | FieldCondition | readonly Where[] | undefined;
  $and?: readonly Where[];
  $or?: readonly Where[];
};

export interface Query {
  where?: Where;
  /**
   * By scalar fields: null comes before numbers, then strings, then booleans. `id`
   * follows as tie-break in the direction of the last field; by `id` when absent.
   */
  sort?: Record<string, 1 | -1>;
  /** whole number, default 0 */
  skip?: number;
  /** whole number; 0 finds nothing; no limit when absent */
  limit?: number;
  /**
   * Names of fields: results contain only these, null if one is missing.
   * If an index covers them, the conditions and the order, no document is read.
   */
  fields?: readonly string[];
}

/** How far a generation has folded its log. */
export interface Checkpoint {
  /** id of the log, its first event's */
  log_id: string;
  position: bigint;
  /** id of the event at `position`; null at the start */
  event_id: string | null;
}

/** A checkpoint as other processes read it. */
export interface Standing extends Checkpoint {
  /**
   * By collection a number that changes whenever documents of it are written or swept; collections that never were are
   * absent. Left out by a store that belongs to one process, and while nobody but an earlier release has written.
   */
  written?: Readonly<Record<string, number>>;
}

/** One build of one projection version: `incidents@1`, generation 3. */
export interface Generation {
  /** name@version */
  projection: string;
  number: number;
}

/** What a generation is written under: a lease that is held (Coordination), whose tokens grow from holder to holder. */
export interface WriterLease {
  name: string;
  token: bigint;
}

export type Writes = Record<string, readonly Write[]>;
export type Write = { put: Document } | { delete: string };

/**
 * Documents of read models, by generation. Every adapter passes `test/contracts/read-store.ts`.
 *
 * Every method but `open`, `checkpoints`, `list`, `drop` and `close` throws {@link GenerationMissing} for a
 * generation that does not exist. Failures that are not the caller's fault are {@link ReadStoreUnavailable}.
 */
export interface ReadStore {
  /**
   * Creates the collections of a generation, or opens them and brings their indexes to what is
   * declared. With `deferIndexes` only `buildIndexes` creates the declared indexes, for a rebuild
   * that nobody reads yet; existing indexes stay.
   *
   * A writer says under which lease it writes. A store that processes share finishes what the previous
   * writer left half done, so read the checkpoint afterwards; from then on the store takes
   * commits from nobody else. A store that belongs to one process needs no lease.
   *
   * @throws StaleWriter it was opened before under a later token of this lease
   * @throws GenerationMissing it is being dropped; no number is used twice
   */
  open(
    generation: Generation,
    collections: Readonly<Record<string, CollectionDeclaration>>,
    options?: { deferIndexes?: boolean; lease?: WriterLease },
  ): Promise<void>;
  buildIndexes(generation: Generation): Promise<void>;

  /** Null before the first commit. */
  checkpoint(generation: Generation): Promise<Checkpoint | null>;
  /** The same for several, in their order, read at once; null also for a generation that does not exist. */
  checkpoints(generations: readonly Generation[]): Promise<(Standing | null)[]>;

  /**
   * Documents by collection, in order, and the checkpoint, atomic in effect. The position grows from
   * commit to commit; repeating a commit changes nothing. The generation must be open.
   *
   * @throws DocumentsRefused documents that no repetition will store; nothing was written
   * @throws TypeError a collection was not declared; nothing was written
   * @throws StaleWriter the generation was not opened here, or somebody else has since opened it for
   *   writing; nothing was changed
   */
  commit(generation: Generation, writes: Writes, checkpoint: Checkpoint): Promise<void>;

  /**
   * In the order of `ids`; absent ones are left out.
   *
   * @param options `toCommit`: what is derived from them will be committed. Then it may be the commit that
   *   finds the generation gone: none of its documents exist, and nothing is thrown
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
   * Removes at most `limit` documents whose instant in the expiry field is before `before`, the
   * oldest first; documents without one stay.
   *
   * @returns how many were removed
   */
  sweep(generation: Generation, collection: string, before: string, limit: number): Promise<number>;

  /** Bytes on disk, or in memory as JSON. */
  size(generation: Generation): Promise<number>;
  /** Generations that exist, in use or not, by projection and number. */
  list(): Promise<Generation[]>;
  /**
   * Readers that have it open may go on for a while; a missing generation is no error.
   *
   * @param lease under which it was decided that nobody needs it
   * @throws StaleWriter this or another generation of the projection was opened under a later token of the
   *   lease, or this one under this lease and then under another; nothing was changed. A store that belongs to one
   *   process knows only of its own openings
   */
  drop(generation: Generation, lease: WriterLease): Promise<void>;
  close(): Promise<void>;
}

/**
 * Largest document, in bytes of its JSON: MongoDB holds 16 MiB, and less of one that is all short values, which take
 * more room there than in JSON. All stores refuse the same, so that what one holds can move to another.
 */
export const MAX_DOCUMENT_BYTES = 12 * 1_048_576;

/** A document that can't be stored, and why. */
export interface RefusedDocument {
  collection: string;
  id: string;
  /** a sentence */
  reason: string;
}

/**
 * Documents of a commit that can't be stored, all of them: each is over {@link MAX_DOCUMENT_BYTES}, holds an array or an
 * object in a field that an index covers, or is no JSON.
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
    super(`There is no generation ${generation.number.toString()} of ${generation.projection}.`);
    this.name = 'GenerationMissing';
    this.generation = generation;
  }
}

/** Somebody else writes the generation now; the caller must stop, and may start again under a later lease. */
export class StaleWriter extends Error {
  constructor({ projection, number }: Generation) {
    super(`Generation ${number.toString()} of ${projection} is now written by somebody else.`);
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

/** The database of a generation is not what was written: it must be rebuilt. */
export class GenerationDamaged extends ReadStoreUnavailable {
  readonly generation: Generation;

  constructor(generation: Generation, reason: string, options?: ErrorOptions) {
    super(`The read model ${generation.projection}.${generation.number.toString()} is damaged: ${reason}`, options);
    this.name = 'GenerationDamaged';
    this.generation = generation;
  }
}
