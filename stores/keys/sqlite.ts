import { LRUCache } from 'lru-cache';
import { orUnavailable } from '../sqlite/failures.ts';
import { openDatabase, type Connection } from '../sqlite/open.ts';
import { decrypt, encrypt, hmac, randomKey } from './cipher.ts';
import { FORGOTTEN, KeyForgotten, KeysUnavailable, UnreadableSeal, type Keys } from './port.ts';

/** `wrapped` is null of a key that was forgotten; its row stays, so that it is never made again. */
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
];

const UNWRAPPED_KEPT = 10_000;

const available = orUnavailable('keys.db', KeysUnavailable);

/** The key given is not the one that wraps what is in the file. */
export class WrongWrappingKey extends Error {
  constructor(file: string, options?: ErrorOptions) {
    super(
      `${file} was made under another key. Please set SECRETS_KEY to the one it was made under, or restore the file secrets-key that belongs to it.`,
      options,
    );
    this.name = 'WrongWrappingKey';
  }
}

export interface SqliteKeysOptions {
  file: string;
  /** SECRETS_KEY, 32 bytes */
  wrappingKey: Buffer;
}

/**
 * Keys in one SQLite file, wrapped by SECRETS_KEY. A key is on the disk before anything sealed under it can
 * reach a log (`synchronous=FULL`), and a forgotten one is overwritten there. Keys in use stay unwrapped in
 * memory until another connection writes to the file: a key that another process forgets is forgotten here
 * with the next call.
 *
 * @throws WrongWrappingKey
 * @throws NewerSchema
 */
export const openSqliteKeys = ({ file, wrappingKey }: SqliteKeysOptions): Keys =>
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

const keysIn = (connection: Connection, wrappingKey: Buffer): Keys => {
  const fingerprintKey = fingerprintKeyIn(connection, wrappingKey);
  const unwrapped = new LRUCache<string, Buffer>({ max: UNWRAPPED_KEPT });
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const stored = connection.prepare<[string], Buffer | null>('SELECT wrapped FROM keys WHERE name = ?').pluck();
  const add = connection.prepare<[string, Buffer]>('INSERT OR IGNORE INTO keys (name, wrapped) VALUES (?, ?)');
  const forget = connection.prepare<[string]>(
    'INSERT INTO keys (name, wrapped) VALUES (?, NULL) ON CONFLICT (name) DO UPDATE SET wrapped = NULL',
  );
  let seen = version.get();

  /** Null: forgotten; undefined: never made. */
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

  const ask = async <T>(action: () => T): Promise<T> => available(action);

  return {
    seal: (name, text) =>
      ask(() => {
        let key = keyOf(name);
        if (key === undefined) {
          // Of two that make it at once, one finds the other's.
          add.run(name, encrypt(wrappingKey, randomKey(), bound(name)));
          key = keyOf(name);
        }
        if (!key) throw new KeyForgotten(name);
        return { key: name, sealed: encrypt(key, text, name).toString('base64') };
      }),

    open: ({ key: name, sealed }) =>
      ask(() => {
        const key = keyOf(name);
        if (key === null) return FORGOTTEN;
        if (!key) throw new UnreadableSeal(name, 'there is no such key.');
        try {
          return decrypt(key, Buffer.from(sealed, 'base64'), name).toString();
        } catch (error) {
          throw new UnreadableSeal(name, 'the sealed text is damaged.', { cause: error });
        }
      }),

    forget: (name) =>
      ask(() => {
        unwrapped.get(name)?.fill(0);
        unwrapped.delete(name);
        forget.run(name);
        // The key stands in the WAL too, until that is copied and cut.
        connection.pragma('wal_checkpoint(TRUNCATE)');
      }),

    fingerprint: async (kind, text) => hmac(fingerprintKey, kind, text),

    close: () =>
      ask(() => {
        unwrapped.clear();
        connection.close();
      }),
  };
};

/** What a wrapped key is bound to; another thing than what its sealed texts are bound to. */
const bound = (name: string): string => `key ${name}`;

const unwrap = (wrappingKey: Buffer, wrapped: Buffer, name: string): Buffer => {
  try {
    return decrypt(wrappingKey, wrapped, bound(name));
  } catch (error) {
    throw new UnreadableSeal(name, 'the key itself is damaged.', { cause: error });
  }
};

/** Made with the file and never again. It also tells whether the wrapping key is the right one. */
const fingerprintKeyIn = (connection: Connection, wrappingKey: Buffer): Buffer => {
  const name = 'fingerprint';
  const stored = connection.prepare<[], Buffer>('SELECT wrapped FROM fingerprint_key').pluck();
  const made = stored.get();
  if (!made) {
    connection
      .prepare<[Buffer]>('INSERT OR IGNORE INTO fingerprint_key (only, wrapped) VALUES (1, ?)')
      .run(encrypt(wrappingKey, randomKey(), name));
  }
  try {
    return decrypt(wrappingKey, made ?? stored.get() ?? Buffer.alloc(0), name);
  } catch (error) {
    throw new WrongWrappingKey(connection.name, { cause: error });
  }
};
