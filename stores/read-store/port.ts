/** A JSON document; `id` is unique in its collection. */
export interface Document {
  id: string;
}

/** Fields to 1 (ascending) or -1; `id` always follows as tie-break. Dotted paths name nested fields. */
export type IndexDeclaration = Record<string, 1 | -1>;

export interface CollectionDeclaration {
  /** every field named here is in each document and is scalar (null when empty) */
  indexes: readonly IndexDeclaration[];
  /** documents whose instant in `field` lies more whole UTC days back than the retention are swept */
  expires?: { field: string };
}

export type Scalar = string | number | boolean | null;

/** Conditions on one field. `contains` and `prefix` ignore case (ASCII and Unicode simple folding). */
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
 * Comparisons hold only between values of one type; strings compare by UTF-8 bytes; a missing field
 * equals null.
 */
export type Where = {
  [field: string]: Scalar | FieldCondition | readonly Where[] | undefined;
  $and?: readonly Where[];
  $or?: readonly Where[];
};

export interface Query {
  where?: Where;
  /** nulls sort first; `id` follows as tie-break in the direction of the last field */
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
}

/** How far a generation has folded its log. */
export interface Checkpoint {
  /** id of the log, its first event's */
  log_id: string;
  position: bigint;
  /** id of the event at `position`; null at the start */
  event_id: string | null;
}

/** One build of one projection version: `incidents@1`, generation 3. */
export interface Generation {
  /** name@version */
  projection: string;
  number: number;
}

export type Writes = Record<string, readonly Write[]>;
export type Write = { put: Document } | { delete: string };

export interface ReadStore {
  /**
   * Makes or opens the collections of a generation. With `deferIndexes` the declared indexes are
   * made only by `buildIndexes`, for a rebuild that nobody reads yet.
   */
  open(
    generation: Generation,
    collections: Readonly<Record<string, CollectionDeclaration>>,
    options?: { deferIndexes?: boolean },
  ): Promise<void>;
  buildIndexes(generation: Generation): Promise<void>;

  /** Null before the first commit. */
  checkpoint(generation: Generation): Promise<Checkpoint | null>;

  /** Documents by collection and the checkpoint, atomic in effect. */
  commit(generation: Generation, writes: Writes, checkpoint: Checkpoint): Promise<void>;

  /** In the order of `ids`; those that are absent are left out. */
  get(generation: Generation, collection: string, ids: readonly string[]): Promise<Document[]>;
  find(generation: Generation, collection: string, query: Query): Promise<Document[]>;
  count(generation: Generation, collection: string, where?: Where): Promise<number>;

  /**
   * Removes at most `limit` documents whose instant in the expiry field is before `before`.
   *
   * @returns how many were removed
   */
  sweep(generation: Generation, collection: string, before: string, limit: number): Promise<number>;

  /** Bytes on disk, or in memory as JSON. */
  size(generation: Generation): Promise<number>;
  /** Generations that exist, in use or not. */
  list(): Promise<Generation[]>;
  drop(generation: Generation): Promise<void>;
  close(): Promise<void>;
}
