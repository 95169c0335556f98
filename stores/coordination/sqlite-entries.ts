import { durably } from '../sqlite/durably.ts';
import type { Connection } from '../sqlite/open.ts';
import { ACCESS_KINDS, ENTRY_KINDS, newVersion, type Entries, type EntryKind, type StoredEntry } from './entries.ts';

export const ENTRIES_TABLE = `
  CREATE TABLE entries (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    owner TEXT,
    expires_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entries_by_owner ON entries (kind, owner, id) WHERE owner IS NOT NULL;
  CREATE INDEX entries_by_end ON entries (kind, expires_at, id);
`;

/** Maximum number of expired entries removed in one call, so that other calls do not have to wait for long. */
const EXPIRY_BATCH = 500;

const FIELDS = 'id, value, owner, expires_at, version';
const REPLACED = 'value = excluded.value, owner = excluded.owner, expires_at = excluded.expires_at';

type Row = [kind: string, id: string, value: string, owner: string | null, expiresAt: number, version: number];

/**
 * Stores entries in `coordination.db`. Each change is one statement, so SQLite serialises concurrent changes.
 *
 * @param ask runs an operation on the file, and converts its errors to those of the port
 */
export const sqliteEntries = (connection: Connection, ask: <T>(action: () => T) => Promise<T>): Entries => {
  const insert = `INSERT INTO entries (kind, ${FIELDS}) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, id) DO UPDATE SET ${REPLACED}, version = excluded.version`;
  const put = connection.prepare<Row>(insert);
  const putNew = connection.prepare<[...Row, number]>(`${insert} WHERE entries.expires_at <= ?`);
  const replace = connection.prepare<[string, string | null, number, number, string, string, number, number]>(
    `UPDATE entries SET value = ?, owner = ?, expires_at = ?, version = ?
     WHERE kind = ? AND id = ? AND version = ? AND expires_at > ?`,
  );
  const get = connection.prepare<[string, string, number], StoredEntry>(
    `SELECT ${FIELDS} FROM entries WHERE kind = ? AND id = ? AND expires_at > ?`,
  );
  const find = connection.prepare<[string, string, number], StoredEntry>(
    `SELECT ${FIELDS} FROM entries WHERE kind = ? AND id IN (SELECT value FROM json_each(?)) AND expires_at > ?`,
  );
  const remove = connection.prepare<[string, string]>('DELETE FROM entries WHERE kind = ? AND id = ?');
  const removeVersion = connection.prepare<[string, string, number]>(
    'DELETE FROM entries WHERE kind = ? AND id = ? AND version = ?',
  );
  const ofOwner = connection.prepare<[string, string, number], StoredEntry>(
    `SELECT ${FIELDS} FROM entries WHERE kind = ? AND owner = ? AND expires_at > ? ORDER BY id`,
  );
  const ended = connection.prepare<[string, number, number], StoredEntry>(
    `SELECT ${FIELDS} FROM entries WHERE kind = ? AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`,
  );
  const clear = connection.prepare<[string]>('DELETE FROM entries WHERE kind = ?');
  const expire = connection.prepare<[string, string, number, number]>(
    `DELETE FROM entries WHERE kind = ? AND id IN
       (SELECT id FROM entries WHERE kind = ? AND expires_at <= ? ORDER BY expires_at, id LIMIT ?)`,
  );
  const putAll = connection.transaction((kind: EntryKind, entries: Parameters<Entries['putAll']>[1]) => {
    for (const { id, value, owner, expires_at } of entries) put.run(kind, id, value, owner, expires_at, newVersion());
  });

  /**
   * Runs a write. For a kind in {@link ACCESS_KINDS}, the change is on the disk when the promise resolves.
   *
   * @returns the number of entries changed
   */
  const change = (kind: EntryKind, write: () => { changes: number }): Promise<number> =>
    ask(() => (ACCESS_KINDS.includes(kind) ? durably(connection, write) : write()).changes);

  return {
    get: (kind, id, now) => ask(() => get.get(kind, id, now) ?? null),
    find: (kind, ids, now) => ask(() => find.all(kind, JSON.stringify(ids), now)),
    put: async (kind, { id, value, owner, expires_at }, expected, now) => {
      const version = newVersion();
      const changes = await change(kind, () =>
        expected === null
          ? putNew.run(kind, id, value, owner, expires_at, version, now)
          : replace.run(value, owner, expires_at, version, kind, id, expected, now),
      );
      return changes > 0 ? version : null;
    },
    putAll: async (kind, entries) => {
      await change(kind, () => {
        putAll.immediate(kind, entries);
        return { changes: entries.length };
      });
    },
    remove: async (kind, id, expected) =>
      (await change(kind, () =>
        expected === undefined ? remove.run(kind, id) : removeVersion.run(kind, id, expected),
      )) > 0,
    listOfOwner: (kind, owner, now) => ask(() => ofOwner.all(kind, owner, now)),
    listExpired: (kind, now, limit) => ask(() => ended.all(kind, now, limit)),
    clear: async (kind) => {
      await change(kind, () => clear.run(kind));
    },
    expire: async (now, keep) => {
      for (const kind of ENTRY_KINDS.filter((one) => !keep.includes(one))) {
        while ((await ask(() => expire.run(kind, kind, now, EXPIRY_BATCH).changes)) === EXPIRY_BATCH) {
          await new Promise(setImmediate);
        }
      }
    },
  };
};
