import { LRUCache } from 'lru-cache';
import { orUnavailable } from '../sqlite/failures.ts';
import { openDatabase, type Connection } from '../sqlite/open.ts';
import { hmac } from './cipher.ts';
import {
  FORGOTTEN,
  KeyForgotten,
  KeysUnavailable,
  KeysOfAnotherLog,
  UnreadableSeal,
  whyNotMergeable,
  type KeyRing,
  type MovableKeys,
} from './port.ts';
import { openSealed, seal, unwrap, unwrapFingerprintKey, wrap, wrapFingerprintKey } from './wrapping.ts';

/** Schema. If a key was forgotten, `wrapped` is null; the row stays, so that the key is never created again. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE keys (
    name TEXT NOT NULL PRIMARY KEY,
    wrapped BLOB
  ) STRICT;
  CREATE TABLE fingerprint_key (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    wrapped BLOB NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE log (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL
  ) STRICT;
  `,
];

const MAX_UNWRAPPED = 10_000;

const available = orUnavailable('keys.db', KeysUnavailable);

export interface SqliteKeysOptions {
  file: string;
  /** SECRETS_KEY, 32 bytes */
  wrappingKey: Buffer;
}

export interface SqliteKeys extends MovableKeys {
  /**
   * Binds the keys permanently to the log whose texts they seal.
   *
   * @param logId id of the log `main`
   * @throws KeysOfAnotherLog the keys are bound to another log
   */
  bind: (logId: string) => Promise<void>;
}

/**
 * Opens the keys in one SQLite file. Each key is wrapped by SECRETS_KEY. A key is on the disk before a text sealed
 * under it can be stored in a log (`synchronous=FULL`). A forgotten key is overwritten on the disk. The unwrapped keys
 * that were used are cached in memory until another connection writes to the file. So if another process forgets a key,
 * this process forgets the key at its next call.
 *
 * @throws WrongWrappingKey
 * @throws NewerSchema
 */
export const openSqliteKeys = ({ file, wrappingKey }: SqliteKeysOptions): SqliteKeys =>
  available(() => {
    const connection = openDatabase(file, { migrations: MIGRATIONS, synchronous: 'FULL' });
    try {
      connection.pragma('secure_delete = ON');
      return keysIn(connection, wrappingKey);
    } catch (error) {
      connection.close();
      throw error;
    }
  });

const keysIn = (connection: Connection, wrappingKey: Buffer): SqliteKeys => {
  let fingerprintKey = fingerprintKeyIn(connection, wrappingKey);
  const unwrapped = new LRUCache<string, Buffer>({ max: MAX_UNWRAPPED });
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const stored = connection.prepare<[string], Buffer | null>('SELECT wrapped FROM keys WHERE name = ?').pluck();
  const add = connection.prepare<[string, Buffer]>('INSERT OR IGNORE INTO keys (name, wrapped) VALUES (?, ?)');
  const bury = connection.prepare<[string]>(
    'INSERT INTO keys (name, wrapped) VALUES (?, NULL) ON CONFLICT (name) DO UPDATE SET wrapped = NULL',
  );
  const addAll = connection.transaction((names: readonly string[]): void => {
    for (const name of names) if (stored.get(name) === undefined) add.run(name, wrap(wrappingKey, name));
  });
  let seen = version.get();

  /** Returns a key; null if it was forgotten, undefined if it was never created. */
  const keyOf = (name: string): Buffer | null | undefined => {
    const current = version.get();
    if (current !== seen) unwrapped.clear();
    seen = current;
    const known = unwrapped.get(name);
    if (known) return known;
    const wrapped = stored.get(name);
    if (!wrapped) return wrapped;
    const key = unwrap(wrappingKey, wrapped, name);
    unwrapped.set(name, key);
    return key;
  };

  const all = connection.prepare<[]>('SELECT name, wrapped FROM keys').raw();
  const replaceFingerprintKey = connection.prepare<[Buffer]>('UPDATE fingerprint_key SET wrapped = ?');
  const readRing = (): KeyRing => ({
    fingerprint: fingerprintKey,
    keys: new Map(
      (all.all() as [string, Buffer | null][]).map(([name, wrapped]) => [
        name,
        wrapped && unwrap(wrappingKey, wrapped, name),
      ]),
    ),
  });
  const adoptRing = connection.transaction((ring: KeyRing): void => {
    const reason = whyNotMergeable(readRing(), ring);
    if (reason !== null) throw new KeysOfAnotherLog(reason);
    replaceFingerprintKey.run(wrapFingerprintKey(wrappingKey, ring.fingerprint));
    for (const [name, key] of ring.keys) {
      if (key) add.run(name, wrap(wrappingKey, name, key));
      else bury.run(name);
    }
  });

  const inUse = connection
    .prepare<[string, string, number], string>(
      'SELECT name FROM keys WHERE name > ? AND name < ? AND wrapped IS NOT NULL ORDER BY name LIMIT ?',
    )
    .pluck();
  const bindTo = connection.prepare<[string]>('INSERT OR IGNORE INTO log (only, id) VALUES (1, ?)');
  const boundTo = connection.prepare<[], string>('SELECT id FROM log').pluck();

  const ask = async <T>(action: () => T): Promise<T> => available(action);

  return {
    seal: (name, text, place) =>
      ask(() => {
        let key = keyOf(name);
        if (key === undefined) {
          // If another process has created the key concurrently, use the key of that process.
          add.run(name, wrap(wrappingKey, name));
          key = keyOf(name);
        }
        if (!key) throw new KeyForgotten(name);
        return seal(key, name, text, place);
      }),

    create: (names) =>
      ask(() => {
        addAll.immediate(names);
      }),

    open: (sealed, place) =>
      ask(() => {
        const key = keyOf(sealed.key);
        if (key === null) return FORGOTTEN;
        if (!key) throw new UnreadableSeal(sealed.key, 'there is no such key.');
        return openSealed(key, sealed, place);
      }),

    forget: (name) =>
      ask(() => {
        const wrapped = stored.get(name);
        if (wrapped === undefined) return 'unknown';
        unwrapped.get(name)?.fill(0);
        unwrapped.delete(name);
        bury.run(name);
        // Removes the key from the WAL too.
        connection.pragma('wal_checkpoint(TRUNCATE)');
        return wrapped === null ? 'already' : 'forgotten';
      }),

    names: ({ prefix, after, limit }) =>
      ask(() => inUse.all(after > prefix ? after : prefix, `${prefix}\u{10ffff}`, limit)),

    exportRing: () => ask(readRing),

    importRing: (ring) =>
      ask(() => {
        adoptRing.immediate(ring);
        fingerprintKey = Buffer.from(ring.fingerprint);
        unwrapped.clear();
        connection.pragma('wal_checkpoint(TRUNCATE)');
      }),

    bind: (logId) =>
      ask(() => {
        bindTo.run(logId);
        if (boundTo.get() === logId) return;
        throw new KeysOfAnotherLog(
          `${connection.name} contains the keys of a different log than the one beside it. Restore both from the same backup.`,
        );
      }),

    fingerprint: async (kind, text) => hmac(fingerprintKey, kind, text),

    close: () =>
      ask(() => {
        unwrapped.clear();
        connection.close();
      }),
  };
};

/** Returns the fingerprint key, and creates it in a new file. Unwrapping it proves that the wrapping key is correct. */
const fingerprintKeyIn = (connection: Connection, wrappingKey: Buffer): Buffer => {
  const stored = connection.prepare<[], Buffer>('SELECT wrapped FROM fingerprint_key').pluck();
  const made = stored.get();
  if (!made) {
    connection
      .prepare<[Buffer]>('INSERT OR IGNORE INTO fingerprint_key (only, wrapped) VALUES (1, ?)')
      .run(wrapFingerprintKey(wrappingKey));
  }
  return unwrapFingerprintKey(wrappingKey, made ?? stored.get() ?? Buffer.alloc(0), connection.name);
};
