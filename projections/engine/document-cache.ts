import { LRUCache } from 'lru-cache';
import type { Document, Generation, Query, ReadStore, Where } from '../../stores/read-store/port.ts';
import type { Statuses } from './status/statuses.ts';
import type { WriteReport } from './status/write-reports.ts';

/** A cache of recently read documents and lists. */
export interface DocumentCache {
  /** The store with cached `get`, `find` and `count`. Documents are frozen, because callers share them. */
  store: ReadStore;
  /** Clears the cache and disables it, so that everything is read from the store. */
  stop: () => void;
}

/** Approximate maximum size of all cached documents, in characters and fields. */
const MOST = 4 * 1_048_576;
/** Maximum size of one document or list, in characters and fields. Larger documents and lists are not cached. */
const LONGEST = 16_384;
/** Approximate maximum size of all cached lists, in characters and fields. */
const MOST_LISTED = 1_048_576;
/** Maximum length of a query as text. Results of longer queries are not cached. */
const LONGEST_QUERY = 1_000;

/** The cached documents of one collection. */
interface Shelf {
  /** Prefix of the cache keys of its documents. */
  prefix: string;
  /** Number that changes when all documents might have changed. */
  epoch: number;
  /** Number of reports about documents of the collection. */
  reports: number;
}

interface CachedDocument {
  document: Document;
  generation: number;
  epoch: number;
}

/** The result of a query, valid until its collection is written. */
interface CachedResult {
  answer: readonly Document[] | number;
  generation: number;
  reports: number;
}

/**
 * Caches documents until the engine reports that it has written them (`Statuses.onWritten`). Cached documents are never
 * older than the position that the projection has reported, so a reader that has waited for a write sees the write. The
 * engine must run in the same process, so that its reports arrive together with its positions. The cache is bypassed
 * while other processes write, before the first report, and while a projection is not live.
 */
export const createDocumentCache = (store: ReadStore, statuses: Pick<Statuses, 'of' | 'onWritten'>): DocumentCache => {
  const recent = new LRUCache<string, CachedDocument>({ maxSize: MOST });
  const cachedResults = new LRUCache<string, CachedResult>({ maxSize: MOST_LISTED });
  /** Shelves by projection name and collection name. Contains only projections that have reported writes. */
  const shelves = new Map<string, Map<string, Shelf>>();

  const take = ({ projection, collections }: WriteReport): void => {
    const known = shelves.get(projection);
    if (!known) {
      // This is the first report. Nothing was cached before it, so no cached document can be outdated.
      shelves.set(projection, new Map());
      return;
    }
    for (const [collection, shelf] of known) {
      const written = collections === 'unknown' ? 'many' : collections.get(collection);
      if (written === undefined) continue;
      shelf.reports += 1;
      if (written === 'many') shelf.epoch += 1;
      else for (const id of written) recent.delete(shelf.prefix + id);
    }
  };
  const end = statuses.onWritten(take);

  /** Returns the shelf of a collection, or null while its documents must not be cached. */
  const shelfOf = ({ projection, number }: Generation, collection: string): Shelf | null => {
    const name = projection.slice(0, projection.lastIndexOf('@'));
    const known = shelves.get(name);
    if (!known) return null;
    const { state, generation } = statuses.of(name);
    if (state !== 'live' || generation !== number) return null;
    const shelf = known.get(collection) ?? { prefix: `${projection}/${collection}/`, epoch: 0, reports: 0 };
    known.set(collection, shelf);
    return shelf;
  };

  const find = ({ prefix, epoch }: Shelf, { number }: Generation, id: string): Document | null => {
    const found = recent.get(prefix + id);
    return found?.epoch === epoch && found.generation === number ? found.document : null;
  };

  const get: ReadStore['get'] = async (generation, collection, ids, options) => {
    const shelf = options ? null : shelfOf(generation, collection);
    if (!shelf) return store.get(generation, collection, ids, options);
    const known = new Map<string, Document>();
    const missing: string[] = [];
    for (const id of ids) {
      const found = find(shelf, generation, id);
      if (found) known.set(id, found);
      else missing.push(id);
    }
    if (missing.length > 0) {
      const { epoch, reports } = shelf;
      const found = await store.get(generation, collection, missing);
      for (const document of found) {
        known.set(document.id, document);
        // If reports have arrived during the read, the document might be outdated already.
        if (shelf.reports !== reports) continue;
        const size = sizeOf(document);
        if (size > LONGEST) continue;
        freeze(document);
        recent.set(shelf.prefix + document.id, { document, generation: generation.number, epoch }, { size });
      }
      if (known.size === found.length) return found;
    }
    return ids.flatMap((id) => known.get(id) ?? []);
  };

  /** Returns the cached result of a query, or calls `ask`. Each caller gets a list of its own; documents are shared. */
  const readCached = async <A extends Document[] | number>(
    generation: Generation,
    collection: string,
    question: { find: Query } | { count: Where },
    ask: () => Promise<A>,
  ): Promise<A> => {
    const shelf = shelfOf(generation, collection);
    const text = shelf ? JSON.stringify(question) : '';
    if (!shelf || text.length > LONGEST_QUERY) return ask();
    const key = shelf.prefix + text;
    const known = cachedResults.get(key);
    if (known?.reports === shelf.reports && known.generation === generation.number) return copyOf(known.answer) as A;
    const { reports } = shelf;
    const found = await ask();
    const size = sizeOf(found) + key.length;
    if (shelf.reports === reports && size <= LONGEST) {
      const copy = copyOf(found);
      freeze(copy);
      cachedResults.set(key, { answer: copy, generation: generation.number, reports }, { size });
    }
    return found;
  };

  return {
    store: {
      ...store,
      get,
      find: (generation, collection, query) =>
        readCached(generation, collection, { find: query }, () => store.find(generation, collection, query)),
      count: (generation, collection, where) =>
        readCached(generation, collection, { count: where ?? {} }, () => store.count(generation, collection, where)),
    },
    stop: () => {
      end();
      shelves.clear();
      recent.clear();
      cachedResults.clear();
    },
  };
};

const copyOf = (result: CachedResult['answer']): CachedResult['answer'] =>
  typeof result === 'number' ? result : [...result];

/** Returns the approximate length of a value as JSON. Stops counting beyond {@link LONGEST}. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 16;
  for (const name in value) {
    size += name.length + sizeOf((value as Record<string, unknown>)[name]);
    if (size > LONGEST) break;
  }
  return size;
};

const freeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const name in value) freeze((value as Record<string, unknown>)[name]);
  Object.freeze(value);
};
