import { LRUCache } from 'lru-cache';
import type { Checkpoint, Document, Generation, ReadStore, Write } from '../../stores/read-store/port.ts';
import type { Model, Touched, AnyProjection, Collections } from './define.ts';

/** One collection in a unit of work: the documents it loaded, and what handlers have made of them. */
class WorkingCollection implements Model<Document> {
  readonly name: string;
  found: readonly Document[] = [];
  /** null: known to be absent */
  readonly #held = new Map<string, Document | null>();
  readonly #written = new Set<string>();
  /** documents of earlier units; right because nobody else writes this generation */
  readonly #recent: LRUCache<string, Document>;
  #declared: readonly string[] = [];
  /** what the handler that runs now has replaced */
  #replaced: { id: string; document: Document | null | undefined; written: boolean }[] = [];

  constructor(name: string, recent: number) {
    this.name = name;
    this.#recent = new LRUCache({ max: recent });
  }

  get(id: string): Document | undefined {
    if (!this.#declared.includes(id) && !this.found.some((document) => document.id === id)) {
      throw new Error(`The document ${id} of ${this.name} is not declared by documents(event).`);
    }
    return this.#held.get(id) ?? undefined;
  }

  put(document: Document): void {
    this.#replace(document.id, document);
  }

  delete(id: string): void {
    this.#replace(id, null);
  }

  #replace(id: string, document: Document | null): void {
    this.#replaced.push({ id, document: this.#held.get(id), written: this.#written.has(id) });
    this.#held.set(id, document);
    this.#written.add(id);
  }

  /** Ids that are touched and not at hand. */
  missing(touched: readonly Touched<Collections>[]): string[] {
    const missing = new Set<string>();
    for (const ids of touched) {
      for (const id of ids[this.name] ?? []) {
        if (this.#held.has(id) || missing.has(id)) continue;
        const recent = this.#recent.get(id);
        if (recent) this.#held.set(id, recent);
        else missing.add(id);
      }
    }
    return [...missing];
  }

  hold(ids: readonly string[], documents: readonly Document[]): void {
    for (const id of ids) this.#held.set(id, null);
    for (const document of documents) this.#held.set(document.id, document);
  }

  /** Begins an event: the ids it declares, and what its search found. */
  begin(declared: readonly string[], found: readonly Document[]): void {
    this.#declared = declared;
    this.found = found;
    for (const document of found) this.#held.set(document.id, document);
  }

  accept(): void {
    if (this.#replaced.length > 0) this.#replaced = [];
  }

  /** Takes back what the handler that runs now has done. */
  undo(): void {
    for (const { id, document, written } of this.#replaced.reverse()) {
      if (document === undefined) this.#held.delete(id);
      else this.#held.set(id, document);
      if (!written) this.#written.delete(id);
    }
    this.#replaced = [];
  }

  get writes(): Write[] {
    return [...this.#written].map((id) => {
      const document = this.#held.get(id);
      return document ? { put: document } : { delete: id };
    });
  }

  get dirty(): boolean {
    return this.#written.size > 0;
  }

  /** After a commit: what was held is recent. */
  settle(): void {
    for (const [id, document] of this.#held) {
      if (document) this.#recent.set(id, document);
      else this.#recent.delete(id);
    }
    this.#held.clear();
    this.#written.clear();
  }

  forget(): void {
    this.#held.clear();
    this.#written.clear();
    this.#recent.clear();
  }
}

/**
 * What a batch of events does to the documents of one generation, in memory until `commit`. After a
 * commit that failed the unit is of no use: what the store holds is unknown.
 */
export class UnitOfWork {
  readonly models: Readonly<Record<string, WorkingCollection>>;
  readonly #collections: readonly WorkingCollection[];
  readonly #readStore: ReadStore;
  readonly #generation: Generation;

  /** @param recent how many documents of each collection are kept from unit to unit */
  constructor(readStore: ReadStore, generation: Generation, { collections }: AnyProjection, recent: number) {
    this.#readStore = readStore;
    this.#generation = generation;
    this.#collections = Object.keys(collections as Collections).map((name) => new WorkingCollection(name, recent));
    this.models = Object.fromEntries(this.#collections.map((collection) => [collection.name, collection]));
  }

  /** Loads the touched documents that are not at hand, with one query a collection. */
  async load(touched: readonly Touched<Collections>[]): Promise<void> {
    for (const collection of this.#collections) {
      const ids = collection.missing(touched);
      if (ids.length === 0) continue;
      collection.hold(ids, await this.#readStore.get(this.#generation, collection.name, ids));
    }
  }

  /** Lets the models show what an event declares, loaded before, and what was found for it. */
  declare(touched: Touched<Collections>, found: Readonly<Record<string, readonly Document[]>>): void {
    for (const collection of this.#collections) {
      collection.begin(touched[collection.name] ?? NONE, found[collection.name] ?? NONE);
    }
  }

  /** Keeps what a handler has done. */
  accept(): void {
    for (const collection of this.#collections) collection.accept();
  }

  /** Takes back what a handler has done before it threw. */
  undo(): void {
    for (const collection of this.#collections) collection.undo();
  }

  get dirty(): boolean {
    return this.#collections.some((collection) => collection.dirty);
  }

  async commit(checkpoint: Checkpoint): Promise<void> {
    const dirty = this.#collections.filter((collection) => collection.dirty);
    const writes = Object.fromEntries(dirty.map((collection) => [collection.name, collection.writes]));
    await this.#readStore.commit(this.#generation, writes, checkpoint);
    for (const collection of this.#collections) collection.settle();
  }

  /** Forgets the documents that were kept, because somebody else removed some (a sweep). */
  forget(): void {
    for (const collection of this.#collections) collection.forget();
  }
}

const NONE: readonly never[] = [];
