import type { RecordedEvent } from '../../../domain/event.ts';
import type { Document, Generation, RefusedDocument, Write, Writes } from '../../../stores/read-store/port.ts';
import type { FoldStore } from './define.ts';
import {
  listSetAside,
  partIds,
  partsOf,
  readParts,
  SET_ASIDE,
  setAsideId,
  type SetAsideCause,
  type SetAsideDocument,
} from './set-aside.ts';

/** A document that was set aside or released, to be logged. `back` is true if it was released. */
export interface SetAsideChange {
  document: SetAsideDocument;
  back: boolean;
}

/**
 * Tracks the set-aside documents of one generation while it is folded. Changes are stored in the same commit as the
 * checkpoint, so that a crash cannot separate them.
 */
export class SetAsideTracker {
  readonly #readStore: FoldStore;
  readonly #generation: Generation;
  /** The set-aside documents as the next commit will store them. Null until they have been read. */
  #records: Map<string, SetAsideDocument> | null = null;
  /** Stored form of the records that the next commit changes. Undefined if a record is not stored yet. */
  readonly #changed = new Map<string, SetAsideDocument | undefined>();
  /** Documents that the store has refused during the current commit. */
  readonly #refused = new Set<string>();
  #news: SetAsideChange[] = [];

  constructor(readStore: FoldStore, generation: Generation) {
    this.#readStore = readStore;
    this.#generation = generation;
  }

  /** Reads the set-aside documents. Repeated calls do nothing. */
  async open(): Promise<void> {
    if (this.#records) return;
    const found = await listSetAside(this.#readStore, this.#generation);
    this.#records = new Map(found.map((document) => [document.id, document]));
  }

  get size(): number {
    return this.#records?.size ?? 0;
  }

  get dirty(): boolean {
    return this.#changed.size > 0;
  }

  of(collection: string, id: string): SetAsideDocument | undefined {
    return this.#records?.get(setAsideId(collection, id));
  }

  /** Reads the content of a set-aside document. */
  content(record: SetAsideDocument): Promise<Document | null> {
    return readParts(this.#readStore, this.#generation, this.#changed.get(record.id) ?? record);
  }

  /** Sets a document aside because an event could not be folded into it. */
  set(collection: string, id: string, { reason, event }: { reason: string; event: RecordedEvent }): void {
    if (this.of(collection, id)?.cause !== 'not_folded') this.#set(collection, id, 'not_folded', reason, event);
  }

  /** Sets a document aside because the store refused it. */
  refuse({ collection, id, reason }: RefusedDocument, last: RecordedEvent | null): void {
    if (!this.of(collection, id)) this.#set(collection, id, 'refused', reason, last);
    this.#refused.add(setAsideId(collection, id));
  }

  #set(collection: string, document: string, cause: SetAsideCause, reason: string, event: RecordedEvent | null): void {
    const id = setAsideId(collection, document);
    const former = this.#changed.get(id);
    const by = former?.cause === cause ? former.event : event && eventOf(event);
    const parts = this.#records?.get(id)?.parts ?? 0;
    this.#change(id, { id, collection, document, cause, reason, event: by, parts, part: null });
  }

  /** Releases a document that is no longer set aside. */
  release(collection: string, id: string): void {
    if (this.of(collection, id)) this.#change(setAsideId(collection, id), null);
  }

  /** Releases the documents of an expiring collection that were set aside because of events before an instant. */
  expire(collection: string, before: string): void {
    for (const record of this.#records?.values() ?? []) {
      if (record.collection === collection && record.event !== null && record.event.recorded_at < before) {
        this.release(collection, record.document);
      }
    }
  }

  #change(id: string, record: SetAsideDocument | null): void {
    const before = this.#records?.get(id);
    if (!this.#changed.has(id)) this.#changed.set(id, before);
    if (record) this.#records?.set(id, record);
    else this.#records?.delete(id);
  }

  /** Redirects the writes of a commit: writes to set-aside documents go to their parts. */
  redirect(writes: Writes): Writes {
    if (this.size === 0 && !this.dirty) return writes;
    const led = new Map<string, Write[]>();
    const own: Write[] = [];
    const writtenIds = new Set<string>();
    for (const [collection, list] of Object.entries(writes)) {
      led.set(
        collection,
        list.map((write) => {
          const id = 'put' in write ? write.put.id : write.delete;
          const record = this.of(collection, id);
          if (!record) return write;
          if (record.cause === 'refused' && ('delete' in write || !this.#refused.has(record.id))) {
            // The document was deleted, or the store might accept it now.
            this.release(collection, id);
            return write;
          }
          writtenIds.add(record.id);
          own.push(...this.#written(record, 'put' in write ? write.put : null));
          return { delete: id };
        }),
      );
    }
    for (const [id, stored] of this.#changed) {
      const record = this.#records?.get(id);
      if (record && !writtenIds.has(id)) own.push({ put: record });
      if (!record && stored) {
        own.push({ delete: id }, ...partIds(id, 0, stored.parts).map((part): Write => ({ delete: part })));
      }
    }
    return own.length === 0 ? Object.fromEntries(led) : { ...Object.fromEntries(led), [SET_ASIDE]: own };
  }

  /** Returns the writes for a document that is set aside. */
  #written(record: SetAsideDocument, document: Document | null): Write[] {
    const parts = document ? partsOf(record.id, document) : [];
    const stored = this.#changed.has(record.id) ? this.#changed.get(record.id) : record;
    const changed = { ...record, parts: parts.length };
    this.#change(record.id, changed);
    const surplus = partIds(record.id, parts.length, stored?.parts ?? 0);
    return [{ put: changed }, ...parts.map((part): Write => ({ put: part })), ...surplus.map((id) => ({ delete: id }))];
  }

  /** Clears the pending changes after a commit. */
  settle(): void {
    for (const [id, before] of this.#changed) {
      const record = this.#records?.get(id);
      if (record && !before) this.#news.push({ document: record, back: false });
      if (!record && before) this.#news.push({ document: before, back: true });
    }
    this.#changed.clear();
    this.#refused.clear();
  }

  /** Returns the documents that were set aside or released since the previous call. */
  takeChanges(): SetAsideChange[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }
}

const eventOf = ({ position, id, type, metadata }: RecordedEvent): SetAsideDocument['event'] => ({
  position: position.toString(),
  id,
  type,
  recorded_at: metadata.recorded_at,
});
