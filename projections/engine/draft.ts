import type { RecordedEvent } from '../../domain/event.ts';
import type { Document, ReadStore } from '../../stores/read-store/port.ts';
import type { CollectionReader, Read } from '../readers.ts';
import type { AnyProjection, FoldStore } from './fold/define.ts';
import { foldInMemory } from './in-memory.ts';

/** Documents as the drafted events would change them, by id. Null for a document that would be deleted. */
type Changes = Map<string, Document | null>;

const noChanges = (): Changes => new Map<string, Document | null>();

/**
 * Reads read models as they would be after drafted events, which were not appended.
 *
 * The documents that the events touch are read, and the events are folded into them in memory. Lists are selected and
 * sorted by stored values, and then show the drafted documents. Documents that only the drafted events create are
 * missing in lists. Counts are those of stored documents.
 *
 * @param projections projections that fold the events; read models of all other projections are read unchanged
 * @throws PoisonousEvent
 */
export const readDrafted = async (
  read: Read,
  projections: readonly AnyProjection[],
  events: readonly RecordedEvent[],
): Promise<Read> => {
  const drafted = new Map<string, Record<string, CollectionReader<Document>>>();
  for (const projection of projections) {
    const stored = read(projection) as Record<string, CollectionReader<Document>>;
    const changes = new Map(Object.keys(stored).map((name) => [name, noChanges()]));
    const readers = Object.entries(stored).map(
      ([name, reader]) => [name, withChanges(reader, changes.get(name) ?? noChanges())] as const,
    );
    drafted.set(projection.name, Object.fromEntries(readers));
    const handled = events.filter(({ type }) => type in (projection.on as object));
    await foldInMemory(projection, [handled], storeOver(drafted.get(projection.name) ?? {}, changes));
  }
  return ((projection: AnyProjection) => drafted.get(projection.name) ?? read(projection)) as Read;
};

/** Wraps a collection, so that some documents are read in their changed form. */
const withChanges = (stored: CollectionReader<Document>, changes: Changes): CollectionReader<Document> => {
  const drafted = <D extends Partial<Document>>(document: D): (D | Document)[] => {
    const after = document.id === undefined ? undefined : changes.get(document.id);
    return after === undefined ? [document] : after === null ? [] : [after];
  };
  return {
    ...stored,
    get: async (id) => (changes.has(id) ? (changes.get(id) ?? null) : stored.get(id)),
    getMany: async (ids) => {
      const others = await stored.getMany(ids.filter((id) => !changes.has(id)));
      const known = new Map(others.map((document) => [document.id, document]));
      return ids.flatMap((id) => changes.get(id) ?? known.get(id) ?? []);
    },
    find: async (query) => (await stored.find(query)).flatMap(drafted),
    pick: async (fields, query) => {
      // Read the id too, even if it was not requested, to find out which documents the drafted events change.
      const found = await stored.pick([...new Set([...fields, 'id' as const])], query);
      return found.flatMap(drafted).map((document) => picked(document, fields));
    },
  };
};

const picked = <D extends object, F extends keyof D>(document: D, fields: readonly F[]): Pick<D, F> =>
  Object.fromEntries(fields.map((field) => [field, document[field]])) as Pick<D, F>;

/** Creates the store of a fold. The store reads stored documents, and adds committed documents to `changes`. */
const storeOver = (
  readers: Readonly<Record<string, CollectionReader<Document>>>,
  changes: ReadonlyMap<string, Changes>,
): FoldStore & Pick<ReadStore, 'open'> => {
  const readerOf = (name: string): CollectionReader<Document> => {
    const reader = readers[name];
    if (!reader) throw new TypeError(`There is no collection ${name}.`);
    return reader;
  };
  return {
    open: async () => undefined,
    get: async (_, name, ids) => readerOf(name).getMany(ids),
    find: async (_, name, query) => readerOf(name).find(query),
    commit: async (_, writes) => {
      for (const [name, all] of Object.entries(writes)) {
        for (const write of all) {
          if ('put' in write) changes.get(name)?.set(write.put.id, write.put);
          else changes.get(name)?.set(write.delete, null);
        }
      }
    },
    sweep: async () => 0,
  };
};
