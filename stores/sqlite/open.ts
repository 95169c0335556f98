import { existsSync } from 'node:fs';
import Database, { SqliteError, type Connection } from './driver.ts';
import { makeDatabasePrivate } from '../file-modes.ts';
import { migrate, readSchemaVersion } from './migrate.ts';

export type { Connection };

export interface OpenOptions {
  /** each step migrates by one schema version; released steps never change */
  migrations: readonly string[];
  /** `FULL`: a commit is on disk when it returns; `NORMAL`: a power cut may undo the last ones, in order */
  synchronous: 'FULL' | 'NORMAL';
  /** page cache; default 16 MiB */
  cacheKibibytes?: number;
  /** of a newly created database; default 4,096 */
  pageBytes?: number;
  /** size of the WAL in pages at which a commit copies it into the database; default 1,000 */
  checkpointPages?: number;
}

/** Milliseconds to wait for another connection that is writing. */
export const BUSY_TIMEOUT = 5_000;
/**
 * A WAL that has grown larger, for example by a large transaction, is truncated to this size in bytes when it is reset.
 */
const LARGEST_IDLE_WAL = 8 * 1_048_576;

/**
 * Opens a SQLite database in WAL mode; creates it, for its owner only, if it is absent; and migrates its schema.
 * Several threads and processes may do so concurrently.
 *
 * @throws NewerSchema a newer release wrote it; the file is unchanged
 */
export const openDatabase = (
  file: string,
  { migrations, synchronous, cacheKibibytes = 16_384, pageBytes = 4_096, checkpointPages = 1_000 }: OpenOptions,
): Connection => {
  const connection = new Database(file, { timeout: BUSY_TIMEOUT });
  makeDatabasePrivate(file);
  try {
    readSchemaVersion(connection, migrations.length);
    connection.pragma(`page_size = ${pageBytes}`);
    becomeWal(connection);
    connection.pragma(`synchronous = ${synchronous}`);
    connection.pragma(`cache_size = -${cacheKibibytes}`);
    connection.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    connection.pragma(`journal_size_limit = ${LARGEST_IDLE_WAL}`);
    migrate(connection, migrations);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** A read-only connection; null if the file is absent or empty. */
export const openForReading = (file: string, known: number): Connection | null => {
  let connection;
  try {
    connection = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
  } catch (error) {
    if (isAbsent(file, error)) return null;
    throw error;
  }
  try {
    if (readSchemaVersion(connection, known) > 0) return connection;
  } catch (error) {
    connection.close();
    if (isAbsent(file, error)) return null; // unlinked since
    throw error;
  }
  connection.close();
  return null;
};

/**
 * Whether the file is absent. SQLite reports the same error when it can't be opened, for example without file
 * descriptors.
 */
const isAbsent = (file: string, error: unknown): boolean => codeOf(error) === 'SQLITE_CANTOPEN' && !existsSync(file);

/** The code of SQLite's own error, such as `SQLITE_BUSY`; undefined for any other error. */
const codeOf = (error: unknown): string | undefined => (error instanceof SqliteError ? error.code : undefined);

/** Retries the first change to WAL, which needs exclusive access and for which SQLite does not wait. */
const becomeWal = (connection: Connection): void => {
  const deadline = performance.now() + BUSY_TIMEOUT;
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
};
