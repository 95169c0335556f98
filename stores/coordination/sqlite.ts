import { durably } from '../sqlite/durably.ts';
import { orUnavailable } from '../sqlite/failures.ts';
import { openDatabase, type Connection } from '../sqlite/open.ts';
import { CLAIM_TIMEOUT_MS, RESPONSE_RETENTION_MS } from './idempotency.ts';
import { ENTRIES_TABLE, sqliteEntries } from './sqlite-entries.ts';
import { FAILED_ITEMS_TABLE, sqliteFailedItems } from './sqlite-failed-items.ts';
import {
  CoordinationUnavailable,
  StaleLease,
  type CatalogueEntry,
  type EmbeddedCoordination,
  type IdempotencyRecord,
} from './port.ts';

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE leases (
    name TEXT NOT NULL PRIMARY KEY,
    token INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE idempotency_records (
    id TEXT NOT NULL PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    answer TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);
  CREATE TABLE catalogue (
    projection TEXT NOT NULL PRIMARY KEY,
    live INTEGER,
    last INTEGER NOT NULL,
    token INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE small_values (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  FAILED_ITEMS_TABLE,
  ENTRIES_TABLE,
];

/** Maximum number of expired records removed in one call, so that other calls do not have to wait for long. */
const EXPIRY_BATCH = 500;

const available = orUnavailable('coordination.db', CoordinationUnavailable);

/**
 * Opens the coordination in one SQLite file, for the threads of a service and for command line processes that run
 * beside the service. Leases are granted immediately, because `service.lock` allows only one service to run. A power
 * cut may lose the newest idempotency records and small values (`synchronous=NORMAL`); important values are in the log
 * too. Leases, the catalogue and entries that give access (`ACCESS_KINDS`) are on the disk when the promise resolves.
 */
export const openSqliteCoordination = ({ file }: { file: string }): EmbeddedCoordination => {
  const connection = available(() => openDatabase(file, { migrations: MIGRATIONS, synchronous: 'NORMAL' }));
  const ask = async <T>(action: () => T): Promise<T> => available(action);
  const { claim, answer, abandon, abandonAll, expire } = idempotencyRecords(connection);
  const { entries, nextGeneration, switchGeneration, remove } = generationCatalogue(connection);

  const acquire = connection
    .prepare<[string], number>(
      'INSERT INTO leases (name, token) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET token = token + 1 RETURNING token',
    )
    .pluck();
  const read = connection.prepare<[string], string>('SELECT value FROM small_values WHERE name = ?').pluck();
  // Uses `substr`, because LIKE would treat `%` and `_` in a prefix as wildcards.
  const readUnder = connection.prepare<[string, string, string], { name: string; value: string }>(
    'SELECT name, value FROM small_values WHERE name >= ? AND substr(name, 1, length(?)) = ? ORDER BY name',
  );
  const write = connection.prepare<[string, string]>(
    'INSERT INTO small_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const writeNew = connection.prepare<[string, string]>(
    'INSERT INTO small_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  );

  return {
    failedItems: sqliteFailedItems(connection, ask),
    entries: sqliteEntries(connection, ask),
    acquire: (name, signal) =>
      ask(() => {
        signal.throwIfAborted();
        const token = BigInt(durably(connection, () => acquire.get(name)) ?? 0);
        return { name, token, lost: new AbortController().signal, release: async () => undefined };
      }),
    claim: (id, fingerprint, now) => ask(() => claim(id, fingerprint, now)),
    storeResponse: (id, given) =>
      ask(() => {
        answer.run(JSON.stringify(given), id);
      }),
    abandon: (id) =>
      ask(() => {
        abandon.run(id);
      }),
    abandonAll: () =>
      ask(() => {
        abandonAll.run();
      }),

    async expire(now) {
      while ((await ask(() => expire.run(now - RESPONSE_RETENTION_MS, EXPIRY_BATCH).changes)) === EXPIRY_BATCH) {
        await new Promise(setImmediate);
      }
    },
    catalogue: () => ask(entries),
    nextGeneration: (projection) => ask(() => nextGeneration(projection)),
    switchGeneration: (projection, generation, token) =>
      ask(() => {
        switchGeneration(projection, generation, token);
      }),
    removeFromCatalogue: (projection, token) =>
      ask(() => {
        remove(projection, token);
      }),
    read: (name) => ask(() => read.get(name) ?? null),
    write: (name, value) =>
      ask(() => {
        write.run(name, value);
      }),
    writeOnce: (name, value) =>
      ask(() => {
        writeNew.run(name, value);
        return read.get(name) ?? value;
      }),
    readByPrefix: (prefix) => ask(() => readUnder.all(prefix, prefix, prefix)),
    close: () =>
      ask(() => {
        connection.close();
      }),
  };
};

const idempotencyRecords = (connection: Connection) => {
  // The same statement checks and writes, so only one of two concurrent claims succeeds.
  const put = connection.prepare<[string, string, number, number, number]>(
    `INSERT INTO idempotency_records (id, fingerprint, created_at) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, answer = NULL, created_at = excluded.created_at
     WHERE created_at < iif(answer IS NULL, ?, ?)`,
  );
  const selectRecord = connection.prepare<[string], Omit<IdempotencyRecord, 'answer'> & { answer: string | null }>(
    'SELECT id, fingerprint, answer, created_at FROM idempotency_records WHERE id = ?',
  );
  return {
    claim: (id: string, fingerprint: string, now: number): IdempotencyRecord | null => {
      for (;;) {
        if (put.run(id, fingerprint, now, now - CLAIM_TIMEOUT_MS, now - RESPONSE_RETENTION_MS).changes > 0) return null;
        const record = selectRecord.get(id);
        // If another process has abandoned the record after the claim failed, no record is found, and the next
        // iteration claims again.
        if (record) return { ...record, answer: JSON.parse(record.answer ?? 'null') as IdempotencyRecord['answer'] };
      }
    },
    answer: connection.prepare<[string, string]>('UPDATE idempotency_records SET answer = ? WHERE id = ?'),
    abandon: connection.prepare<[string]>('DELETE FROM idempotency_records WHERE id = ? AND answer IS NULL'),
    abandonAll: connection.prepare<[]>('DELETE FROM idempotency_records WHERE answer IS NULL'),
    expire: connection.prepare<[number, number]>(
      'DELETE FROM idempotency_records WHERE id IN (SELECT id FROM idempotency_records WHERE created_at < ? LIMIT ?)',
    ),
  };
};

const generationCatalogue = (connection: Connection) => {
  const all = connection.prepare<[], CatalogueEntry>(
    'SELECT projection, live, last FROM catalogue ORDER BY projection',
  );
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const next = connection
    .prepare<[string], number>(
      'INSERT INTO catalogue (projection, last) VALUES (?, 1) ON CONFLICT (projection) DO UPDATE SET last = last + 1 RETURNING last',
    )
    .pluck();
  const change = connection.prepare<[string, number, number, bigint]>(
    `INSERT INTO catalogue (projection, live, last, token) VALUES (?, ?, ?, ?)
     ON CONFLICT (projection) DO UPDATE SET live = excluded.live, last = max(last, excluded.last), token = excluded.token
     WHERE token <= excluded.token`,
  );
  const newest = connection.prepare<[string], number>('SELECT token FROM catalogue WHERE projection = ?').pluck();
  const removal = connection.prepare<[string, bigint]>('DELETE FROM catalogue WHERE projection = ? AND token <= ?');
  let known: { version: number | undefined; entries: CatalogueEntry[] } | null = null;

  return {
    /**
     * Returns the catalogue from a cache. The cache is valid until this or another connection writes to the file;
     * checking that takes about 2 µs.
     */
    entries: (): CatalogueEntry[] => {
      const current = version.get();
      if (known?.version !== current || !known) known = { version: current, entries: all.all() };
      return known.entries.map((entry) => ({ ...entry }));
    },
    nextGeneration: (projection: string): number => {
      known = null;
      return durably(connection, () => next.get(projection)) ?? 1;
    },
    switchGeneration: (projection: string, generation: number, token: bigint): void => {
      known = null;
      const { changes } = durably(connection, () => change.run(projection, generation, generation, token));
      if (changes === 0) {
        throw new StaleLease(projection, token, BigInt(newest.get(projection) ?? 0));
      }
    },
    remove: (projection: string, token: bigint): void => {
      known = null;
      if (durably(connection, () => removal.run(projection, token)).changes > 0) return;
      const later = newest.get(projection);
      if (later !== undefined) throw new StaleLease(projection, token, BigInt(later));
    },
  };
};
