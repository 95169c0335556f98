import type { Collection, Db, Filter, Long } from 'mongodb';
import { isDuplicate } from '../../mongodb/failures.ts';
import { toLong } from '../../mongodb/open.ts';
import {
  GenerationMissing,
  StaleWriter,
  type Checkpoint,
  type CollectionDeclaration,
  type Generation,
  type WriterLease,
} from '../port.ts';
import { collectionNames, nameOf, ownerOf } from './collections.ts';

export type Declarations = ReadonlyMap<string, CollectionDeclaration>;

/** A generation: its collections, writer, checkpoint, and the commit in progress. */
export interface GenerationDocument extends Generation {
  _id: string;
  /** declarations as JSON, because their field names may contain dots */
  collections: { name: string; declaration: string }[];
  writer: { lease: string; token: Long | bigint } | null;
  /** names of all leases under which the generation was opened; absent if an earlier release created the generation */
  leases?: string[];
  checkpoint: StoredCheckpoint | null;
  /**
   * number of commits that wrote to each collection; absent if an earlier release created the generation and nothing
   * was written after the upgrade
   */
  written?: Record<string, number | bigint>;
  /**
   * the commit in progress: stored before the documents of a commit, and removed by the update that stores the
   * checkpoint
   */
  journal: StoredJournal | null;
  /** whether the generation's collections are being dropped */
  dropped: boolean;
}

export interface StoredCheckpoint extends Omit<Checkpoint, 'position'> {
  position: Long | bigint;
}

export interface StoredJournal {
  checkpoint: StoredCheckpoint;
  entries: JournalEntry[];
  /** ids of the parts that contain the entries; empty if the entries fit into this document */
  parts: string[];
}

/** What a commit writes to one document. */
export interface JournalEntry {
  collection: string;
  id: string;
  /** the document as JSON; null: delete it */
  document: string | null;
}

/** Milliseconds after which a reader checks again whether the generation that it reads exists. */
const RECHECK_AFTER = 10_000;

/** The generations of a database. Each is a document in the collection `generations`. */
export class Generations {
  readonly documents: Collection<GenerationDocument>;
  readonly #db: Db;
  readonly #known = new Map<string, { declarations: Declarations; until: number }>();

  constructor(db: Db) {
    this.#db = db;
    this.documents = db.collection('generations', { promoteLongs: true });
  }

  /** @throws GenerationMissing */
  async declarations(generation: Generation): Promise<Declarations> {
    const known = this.#known.get(idOf(generation));
    return known && known.until > performance.now() ? known.declarations : this.load(generation);
  }

  /**
   * Reads the declarations from the database, not from the cache.
   *
   * @throws GenerationMissing
   */
  async load(generation: Generation): Promise<Declarations> {
    const _id = idOf(generation);
    const found = await this.documents.findOne({ _id }, { projection: { collections: 1, dropped: 1 } });
    if (!found || found.dropped) {
      this.#known.delete(_id);
      throw new GenerationMissing(generation);
    }
    return this.#keep(_id, declarationsOf(found));
  }

  /**
   * Creates a generation, or adds new declarations to an existing one.
   *
   * @throws GenerationMissing the generation is being dropped
   */
  async create(generation: Generation, collections: Readonly<Record<string, CollectionDeclaration>>): Promise<void> {
    const _id = idOf(generation);
    for (;;) {
      const found = await this.documents.findOne({ _id }, { projection: { collections: 1, dropped: 1 } });
      if (found?.dropped) throw new GenerationMissing(generation);
      const existing = found ? declarationsOf(found) : new Map<string, CollectionDeclaration>();
      const declarations = new Map([...existing, ...Object.entries(collections)]);
      const stored = [...declarations].map(([name, declaration]) => ({
        name,
        declaration: JSON.stringify(declaration),
      }));
      if (found) {
        if (JSON.stringify(stored) !== JSON.stringify(found.collections)) {
          await this.documents.updateOne({ _id }, { $set: { collections: stored } });
        }
      } else if (!(await this.#insert({ _id, ...generation, collections: stored, ...NEW }))) continue;
      this.#keep(_id, declarations);
      return;
    }
  }

  async list(): Promise<Generation[]> {
    const found = await this.documents
      .find({}, { projection: { projection: 1, number: 1 }, sort: { projection: 1, number: 1 } })
      .toArray();
    return found.map(({ projection, number }) => ({ projection, number }));
  }

  /**
   * Marks a generation as dropped with one update, and then removes its collections. If the drop is interrupted after
   * the update, the generation can't be read but is still listed, and the next caller repeats the drop.
   *
   * The drop is refused if a later holder of the lease has opened any generation of the projection. A later holder
   * might also open this generation after that was checked. If it does so before the update, the update matches
   * nothing. If it does so after the update, it gets an error, because the generation was dropped.
   *
   * @throws StaleWriter
   */
  async drop(generation: Generation, lease: WriterLease): Promise<void> {
    const _id = idOf(generation);
    const { projection } = generation;
    const later = { projection, 'writer.lease': lease.name, 'writer.token': { $gt: toLong(lease.token) } };
    if (await this.documents.findOne(later, { projection: { _id: 1 } })) throw new StaleWriter(generation);
    const notTakenOver = { $or: [{ leases: { $ne: lease.name } }, { 'writer.lease': lease.name }] };
    const mayDrop = { $or: [{ dropped: true }, { $and: [notLater(lease), notTakenOver] }] };
    const filter = { _id, ...mayDrop } as Filter<GenerationDocument>;
    const { matchedCount } = await this.documents.updateOne(filter, { $set: { dropped: true } });
    if (matchedCount === 0 && (await this.documents.findOne({ _id }, { projection: { _id: 1 } }))) {
      throw new StaleWriter(generation);
    }
    this.#known.delete(_id);
    // Also removes collections of generations that were dropped earlier. A writer that did not know of the drop may
    // have created these collections again.
    const names = (await collectionNames(this.#db)).filter((name) => ownerOf(name) !== null);
    const alive = new Set((await this.list()).map(idOf));
    alive.delete(_id);
    for (const name of names) {
      const owner = ownerOf(name);
      if (owner && !alive.has(idOf(owner))) await this.#db.dropCollection(name).catch(unlessMissing);
    }
    await this.documents.deleteOne({ _id, dropped: true });
  }

  async #insert(document: GenerationDocument): Promise<boolean> {
    try {
      await this.documents.insertOne(document);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  #keep(_id: string, declarations: Declarations): Declarations {
    this.#known.set(_id, { declarations, until: performance.now() + RECHECK_AFTER });
    return declarations;
  }
}

const NEW = { writer: null, checkpoint: null, written: {}, journal: null, dropped: false } as const;

/** Returns a filter for generations that were not opened under a later token of this lease. */
export const notLater = ({ name, token }: WriterLease) => ({
  $or: [{ writer: null }, { 'writer.lease': { $ne: name } }, { 'writer.token': { $lte: toLong(token) } }],
});

export const idOf = ({ projection, number }: Generation): string => `${projection}.${number}`;

const declarationsOf = ({ collections }: Pick<GenerationDocument, 'collections'>): Declarations =>
  new Map(collections.map(({ name, declaration }) => [name, JSON.parse(declaration) as CollectionDeclaration]));

/** Ignores the error for a collection that another process has already dropped. */
const unlessMissing = (error: unknown): boolean => {
  if (error instanceof Error && /ns not found/i.test(error.message)) return false;
  throw error;
};

/**
 * Verifies that a generation and its collections have valid names.
 *
 * @throws TypeError
 */
export const checkNames = (generation: Generation, collections: Iterable<string>): void => {
  for (const name of collections) nameOf(generation, name);
};
