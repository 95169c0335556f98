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
  /** declarations as JSON, since their fields may have dots */
  collections: { name: string; declaration: string }[];
  writer: { lease: string; token: Long | bigint } | null;
  /** names of all leases it was opened under; absent if an earlier release created it */
  leases?: string[];
  checkpoint: StoredCheckpoint | null;
  /** number of writes per collection; absent if an earlier release created it and nothing was written since */
  written?: Record<string, number | bigint>;
  /** written before the documents of a commit; removed together with updating the checkpoint afterwards */
  journal: StoredJournal | null;
  /** whether its collections are being dropped */
  dropped: boolean;
}

export interface StoredCheckpoint extends Omit<Checkpoint, 'position'> {
  position: Long | bigint;
}

export interface StoredJournal {
  checkpoint: StoredCheckpoint;
  entries: JournalEntry[];
  /** ids of the parts that contain the entries if they exceed one document */
  parts: string[];
}

/** The effect of a commit on one document. */
export interface JournalEntry {
  collection: string;
  id: string;
  /** as JSON; null: deleted */
  document: string | null;
}

/** Milliseconds after which a reader checks whether the generation it reads still exists. */
const RECHECK_AFTER = 10_000;

/** The generations of a database, one document each in the collection `generations`. */
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

  /** Reads the declarations from the database. @throws GenerationMissing */
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
   * @throws GenerationMissing it is being dropped
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
   * Marks a generation as dropped with one update, and removes its collections afterwards. If the drop is interrupted
   * in between, the next caller repeats it; until then the generation is listed, though it can't be read. A later
   * holder of the lease is recognized by the generations that it has opened. A holder that opens its first generation
   * after that check has not relied on this one yet: either it opens it before the update, which then matches nothing,
   * or it finds it dropped.
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
    // Includes collections of earlier generations: a writer that did not know of their drop may have created them
    // again.
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

/** Filter for generations that were not opened under a later token of this lease. */
export const notLater = ({ name, token }: WriterLease) => ({
  $or: [{ writer: null }, { 'writer.lease': { $ne: name } }, { 'writer.token': { $lte: toLong(token) } }],
});

export const idOf = ({ projection, number }: Generation): string => `${projection}.${number}`;

const declarationsOf = ({ collections }: Pick<GenerationDocument, 'collections'>): Declarations =>
  new Map(collections.map(({ name, declaration }) => [name, JSON.parse(declaration) as CollectionDeclaration]));

/** Ignores that another process has already done this. */
const unlessMissing = (error: unknown): boolean => {
  if (error instanceof Error && /ns not found/i.test(error.message)) return false;
  throw error;
};

/** Refuses invalid names of generations. @throws TypeError */
export const checkNames = (generation: Generation, collections: Iterable<string>): void => {
  for (const name of collections) nameOf(generation, name);
};
