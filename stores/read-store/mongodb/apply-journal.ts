import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { ignoreDuplicates } from '../../mongodb/failures.ts';
import { toLong } from '../../mongodb/open.ts';
import type { Generation } from '../port.ts';
import { documentsOf } from './collections.ts';
import type { StoredDocument } from './stored-document.ts';
import type { JournalEntry } from './generations.ts';
import { pack } from './packing.ts';

export interface JournalApplication {
  db: Db;
  generation: Generation;
  /** position of the commit */
  position: bigint;
  /**
   * returns whether a document is known to exist or to have existed. Documents for which this returns false are assumed
   * to be new
   */
  isKnown: (entry: JournalEntry) => boolean;
  /** maximum number of writes in one bulk */
  bulk: number;
}

/**
 * Applies a journal. Each document contains the position of the commit that last wrote it. A write replaces a document
 * only if the position in the document is lower than the position of the journal's commit. If not, this or a later
 * commit has already written the document, so the write matches nothing or fails with E11000. Therefore a journal may
 * be applied repeatedly, concurrently, and even after later commits.
 */
export const applyJournal = async (
  entries: readonly JournalEntry[],
  application: JournalApplication,
): Promise<void> => {
  const byCollection = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const list = byCollection.get(entry.collection) ?? [];
    byCollection.set(entry.collection, list);
    list.push(entry);
  }
  // Collections are written in parallel, because their order does not matter. A failure is thrown only after all writes
  // have settled.
  const ends = await Promise.allSettled(
    [...byCollection].map(([collection, list]) => applyTo(collection, list, application)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};

const applyTo = async (
  collection: string,
  entries: readonly JournalEntry[],
  application: JournalApplication,
): Promise<void> => {
  const { isKnown, bulk } = application;
  const isNew = (entry: JournalEntry): boolean => entry.document !== null && !isKnown(entry);
  const found: JournalEntry[] = [];
  for (const group of inGroups(entries.filter(isNew), bulk)) {
    found.push(...(await insert(collection, group, application)));
  }
  for (const group of inGroups([...found, ...entries.filter((entry) => !isNew(entry))], bulk)) {
    await replace(collection, group, application);
  }
};

/** @returns the entries that were not written, because their documents exist already */
const insert = async (
  collection: string,
  entries: readonly JournalEntry[],
  { db, generation, position }: JournalApplication,
) => {
  const documents = entries.map(({ id, document }) => ({ _id: id, ...stored(document ?? '{}', position) }));
  const { duplicates } = await ignoreDuplicates(() =>
    documentsOf(db, generation, collection).insertMany(documents, { ordered: false }),
  );
  return duplicates.flatMap((index) => entries[index] ?? []);
};

const replace = async (
  collection: string,
  entries: readonly JournalEntry[],
  { db, generation, position }: JournalApplication,
): Promise<void> => {
  const operations = entries.map(({ id, document }): AnyBulkWriteOperation<StoredDocument> => {
    const filter = { _id: id, position: { $lt: toLong(position) } };
    if (document !== null) return { replaceOne: { filter, replacement: stored(document, position), upsert: true } };
    const grave = { position: toLong(position), deleted_at: new Date() };
    return { updateOne: { filter, update: { $set: grave, $unset: { document: true, escaped: true } } } };
  });
  await ignoreDuplicates(() => documentsOf(db, generation, collection).bulkWrite(operations, { ordered: false }));
};

const stored = (document: string, position: bigint): Omit<StoredDocument, '_id'> => ({
  position: toLong(position),
  ...pack(document),
});

const inGroups = function* <T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
};
