import type { Collection } from 'mongodb';
import { AWAITED, isDuplicate, ignoreDuplicates } from '../../mongodb/failures.ts';
import { once } from '../../mongodb/once.ts';
import { ENTRY_KINDS, newVersion, type Entries, type Entry, type EntryKind, type StoredEntry } from '../entries.ts';

interface EntryDocument extends StoredEntry {
  /** kind and id */
  _id: string;
  kind: EntryKind;
}

const SHOWN = { _id: 0, kind: 0 } as const;

const idOf = (kind: EntryKind, id: string): string => `${kind} ${id}`;

const fieldsOf = (kind: EntryKind, { id, value, owner, expires_at }: Entry, version: number) => ({
  kind,
  id,
  value,
  owner,
  expires_at,
  version,
});

/**
 * Stores each entry in a document. Each change is one write whose filter names the version to replace. If MongoDB does
 * not respond, the caller stops waiting, and the write may still happen later. Even then, it can't overwrite a newer
 * version, because that does not match the filter.
 *
 * @param documents a collection with read preference `primary` and write concern `majority`
 * @param available runs a MongoDB operation, and converts its errors to those of the port
 */
export const mongoEntries = (
  documents: Collection<EntryDocument>,
  available: <T>(action: () => Promise<T>, options?: { awaited: boolean }) => Promise<T>,
): Entries => {
  const indexed = once(() =>
    documents.createIndexes([{ key: { kind: 1, owner: 1, id: 1 } }, { key: { kind: 1, expires_at: 1, id: 1 } }]),
  );

  const find = (filter: object, options?: { sort: Record<string, 1>; limit?: number }): Promise<StoredEntry[]> =>
    available(() => documents.find<StoredEntry>(filter, { projection: SHOWN, ...options }).toArray());

  return {
    get: (kind, id, now) =>
      available(() =>
        documents.findOne<StoredEntry>({ _id: idOf(kind, id), expires_at: { $gt: now } }, { projection: SHOWN }),
      ),

    find: (kind, ids, now) => find({ _id: { $in: ids.map((id) => idOf(kind, id)) }, expires_at: { $gt: now } }),

    put: (kind, entry, expected, now) =>
      available(async () => {
        await indexed();
        const _id = idOf(kind, entry.id);
        const version = newVersion();
        const change = { $set: fieldsOf(kind, entry, version) };
        if (expected !== null) {
          const expectedEntry = { _id, version: expected, expires_at: { $gt: now } };
          const { matchedCount } = await documents.updateOne(expectedEntry, change);
          return matchedCount === 1 ? version : null;
        }
        try {
          // An entry that has not expired does not match, and the insert then fails as a duplicate.
          await documents.updateOne({ _id, expires_at: { $lte: now } }, change, { upsert: true });
          return version;
        } catch (error) {
          if (isDuplicate(error)) return null;
          throw error;
        }
      }),

    putAll: (kind, entries) =>
      available(async () => {
        if (entries.length === 0) return;
        await indexed();
        const upserts = entries.map((entry) => ({
          updateOne: {
            filter: { _id: idOf(kind, entry.id) },
            update: { $set: fieldsOf(kind, entry, newVersion()) },
            upsert: true,
          },
        }));
        // Two concurrent upserts may both insert the entry. It does not matter which of them wins.
        await ignoreDuplicates(() => documents.bulkWrite(upserts, { ordered: false }));
      }),

    remove: (kind, id, expected) =>
      available(async () => {
        const chosen = { _id: idOf(kind, id), ...(expected !== undefined && { version: expected }) };
        return (await documents.deleteOne(chosen)).deletedCount === 1;
      }),

    listOfOwner: (kind, owner, now) => find({ kind, owner, expires_at: { $gt: now } }, { sort: { id: 1 } }),

    listExpired: (kind, now, limit) =>
      find({ kind, expires_at: { $lte: now } }, { sort: { expires_at: 1, id: 1 }, limit }),

    clear: (kind) =>
      available(async () => {
        await documents.deleteMany({ kind });
      }, AWAITED),

    expire: (now, keep) =>
      available(async () => {
        const kinds = ENTRY_KINDS.filter((kind) => !keep.includes(kind));
        await documents.deleteMany({ kind: { $in: kinds }, expires_at: { $lte: now } });
      }, AWAITED),
  };
};
