import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../../../domain/event.ts';
import {
  DocumentsRefused,
  type Checkpoint,
  type Document,
  type Generation,
  type Write,
  type Writes,
} from '../../../stores/read-store/port.ts';
import { SetAsideTracker } from './set-aside-tracker.ts';
import type { FoldStore, Model, Touched, AnyProjection, Collections } from './define.ts';

/** A document in a unit of work. */
interface Entry {
  /** Null if the document does not exist, or is to be deleted. */
  document: Document | null;
  written: boolean;
  /**
   * Whether a handler stored the document without looking it up before, as handlers do for documents that never change.
   */
  blind: boolean;
  /** Whether the document was looked up and was not in the store. */
  absent: boolean;
}

/** A collection in a unit of work: the loaded documents, including the changes by handlers. */
class WorkingCollection implements Model<Document> {
  readonly name: string;
  found: readonly Document[] = [];
  dirty = false;
  readonly #held = new Map<string, Entry>();
  /** Cache of documents of earlier units. They are still current, because nothing else writes to this generation. */
  readonly #recent: LRUCache<string, Document>;
  #declared: readonly string[] = [];
  /** Entries that the current handler has replaced, in their previous state. */
  #replaced: { id: string; before: Entry | undefined }[] = [];

  constructor(name: string, recent: number) {
    this.name = name;
    this.#recent = new LRUCache({ max: recent });
  }

  get(id: string): Document | undefined {
    if (!this.#declared.includes(id) && !this.found.some((document) => document.id === id)) {
      throw new Error(`The document ${id} of ${this.name} is not declared by documents(event).`);
    }
    return this.#held.get(id)?.document ?? undefined;
  }

  put(document: Document): void {
    this.#replace(document.id, document);
  }

  delete(id: string): void {
    this.#replace(id, null);
  }

  #replace(id: string, document: Document | null): void {
    const before = this.#held.get(id);
    const absent = before?.absent ?? false;
    // The deletion of a missing document is not written, so that it does not notify the followers of the collection.
    const written = document !== null || !absent;
    this.#replaced.push({ id, before });
    this.#held.set(id, { document, written, blind: before?.blind ?? true, absent });
    this.dirty ||= written;
  }

  /** Returns the touched ids whose documents are not in memory. */
  missing(touched: readonly Touched<Collections>[]): readonly string[] {
    let missing: Set<string> | null = null;
    for (const ids of touched) {
      for (const id of ids[this.name] ?? NONE) {
        const entry = this.#held.get(id);
        if (entry) entry.blind = false;
        else if (!this.#keptBefore(id)) (missing ??= new Set()).add(id);
      }
    }
    return missing ? [...missing] : NONE;
  }

  #keptBefore(id: string): boolean {
    const document = this.#recent.get(id);
    if (document) this.#held.set(id, { document, written: false, blind: false, absent: false });
    return document !== undefined;
  }

  hold(ids: readonly string[], documents: readonly Document[]): void {
    for (const id of ids) this.#held.set(id, { document: null, written: false, blind: false, absent: true });
    for (const document of documents)
      this.#held.set(document.id, { document, written: false, blind: false, absent: false });
  }

  /** Ensures that a deletion of the document is written even if the collection does not contain the document. */
  doubt(id: string): void {
    const entry = this.#held.get(id);
    if (entry) entry.absent = false;
  }

  /** Begins an event. Sets the ids that the event declares, and the results of its search. */
  begin(declared: readonly string[], found: readonly Document[]): void {
    this.#declared = declared;
    this.found = found;
    this.hold(NONE, found);
  }

  accept(): void {
    if (this.#replaced.length > 0) this.#replaced = [];
  }

  /** Ids of the documents that the current handler has deleted. Empty after its changes were accepted. */
  get deleted(): string[] {
    return this.#replaced.map(({ id }) => id).filter((id) => this.#held.get(id)?.document === null);
  }

  exists(id: string): boolean {
    return this.#held.get(id)?.document != null;
  }

  /** Marks a document as changed, so that the commit writes it. */
  touch(id: string): void {
    const entry = this.#held.get(id);
    if (!entry?.document) return;
    entry.written = true;
    this.dirty = true;
  }

  /** Undoes the changes of the current handler. */
  undo(): void {
    for (const { id, before } of this.#replaced.reverse()) {
      if (before) this.#held.set(id, before);
      else this.#held.delete(id);
    }
    this.#replaced = [];
  }

  get writes(): Write[] {
    const writes: Write[] = [];
    for (const [id, { document, written }] of this.#held) {
      if (written) writes.push(document ? { put: document } : { delete: id });
    }
    return writes;
  }

  /** After a commit, moves the documents to the cache of recent documents. */
  settle(): void {
    for (const [id, { document, blind }] of this.#held) {
      if (document && !blind) this.#recent.set(id, document);
      else this.#recent.delete(id);
    }
    this.#held.clear();
    this.dirty = false;
  }

  forget(): void {
    this.#held.clear();
    this.#recent.clear();
  }
}

const NONE: readonly never[] = [];

/**
 * Collects the changes that a batch of events makes to the documents of one generation, and stores them in `commit`.
 * After a failed commit, the content of the store is unknown, so the unit must not be used any more.
 */
export class UnitOfWork {
  readonly models: Readonly<Record<string, WorkingCollection>>;
  readonly #collections: readonly WorkingCollection[];
  readonly #readStore: FoldStore;
  readonly #generation: Generation;
  readonly aside: SetAsideTracker;

  /** @param recent maximum number of documents of each collection that stay in memory after a commit */
  constructor(readStore: FoldStore, generation: Generation, { collections }: AnyProjection, recent: number) {
    this.#readStore = readStore;
    this.#generation = generation;
    this.aside = new SetAsideTracker(readStore, generation);
    this.#collections = Object.keys(collections as Collections).map((name) => new WorkingCollection(name, recent));
    this.models = Object.fromEntries(this.#collections.map((collection) => [collection.name, collection]));
  }

  /** Tests whether some of the touched documents are not in memory. */
  lacks(touched: Touched<Collections>): boolean {
    return this.#collections.some((collection) => collection.missing([touched]).length > 0);
  }

  /** Loads the touched documents that are not in memory, with one query per collection, in parallel. */
  async load(touched: readonly Touched<Collections>[]): Promise<void> {
    await Promise.all(
      this.#collections.map(async (collection) => {
        const ids = collection.missing(touched);
        if (ids.length === 0) return;
        const aside = this.aside.size === 0 ? NONE : ids.filter((id) => this.aside.of(collection.name, id));
        const found = await this.#readStore.get(this.#generation, collection.name, ids, { toCommit: true });
        collection.hold(ids, found);
        for (const id of aside) await this.#loadAside(collection, id);
      }),
    );
  }

  async #loadAside(collection: WorkingCollection, id: string): Promise<void> {
    // A deletion must be written, because it also removes the record of the set-aside document.
    collection.doubt(id);
    const record = this.aside.of(collection.name, id);
    const document = record && (await this.aside.content(record));
    if (document) collection.hold(NONE, [document]);
  }

  /** Returns those of the touched documents that exist, or all touched documents if none of them exists. */
  existing(touched: Touched<Collections>): { collection: string; id: string }[] {
    const all = Object.entries(touched).flatMap(([collection, ids]) => (ids ?? NONE).map((id) => ({ collection, id })));
    const some = all.filter(({ collection, id }) => this.models[collection]?.exists(id));
    return some.length > 0 ? some : all;
  }

  /** Sets a document aside in its state before the event that could not be folded. */
  setAside(collection: string, id: string, because: { reason: string; event: RecordedEvent }): void {
    this.aside.set(collection, id, because);
    this.models[collection]?.touch(id);
  }

  /**
   * Passes the documents that an event declares, and its search results, to the models. The documents must be loaded.
   */
  declare(touched: Touched<Collections>, found: Readonly<Record<string, readonly Document[]>>): void {
    for (const collection of this.#collections) {
      collection.begin(touched[collection.name] ?? NONE, found[collection.name] ?? NONE);
    }
  }

  /** Accepts the changes of a handler. */
  accept(): void {
    if (this.aside.size > 0) this.#releaseDeleted();
    for (const collection of this.#collections) collection.accept();
  }

  /** Releases deleted documents: after a deletion, events that could not be folded do not matter any more. */
  #releaseDeleted(): void {
    for (const collection of this.#collections) {
      for (const id of collection.deleted) {
        if (this.aside.of(collection.name, id)?.cause === 'not_folded') this.aside.release(collection.name, id);
      }
    }
  }

  /** Undoes the changes of a handler that threw. */
  undo(): void {
    for (const collection of this.#collections) collection.undo();
  }

  get dirty(): boolean {
    return this.aside.dirty || this.#collections.some((collection) => collection.dirty);
  }

  /**
   * Stores the changed documents together with the checkpoint.
   *
   * @param last the most recently folded event
   * @param refusable whether documents that the store refuses are set aside
   * @returns what was written
   * @throws DocumentsRefused
   */
  async commit(checkpoint: Checkpoint, last: RecordedEvent | null, refusable: boolean): Promise<Writes> {
    const dirty = this.#collections.filter((collection) => collection.dirty);
    const writes = Object.fromEntries(dirty.map((collection) => [collection.name, collection.writes]));
    let redirected = this.aside.redirect(writes);
    for (let committed = false; !committed;) {
      try {
        await this.#readStore.commit(this.#generation, redirected, checkpoint);
        committed = true;
      } catch (error) {
        if (!(error instanceof DocumentsRefused) || !refusable) throw error;
        for (const refused of error.documents) this.aside.refuse(refused, last);
        redirected = this.aside.redirect(writes);
      }
    }
    for (const collection of this.#collections) collection.settle();
    this.aside.settle();
    return redirected;
  }

  /** Drops the cached documents. Called after a sweep, which removes documents from the store. */
  forget(): void {
    for (const collection of this.#collections) collection.forget();
  }
}
