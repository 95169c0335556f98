import { existsSync } from 'node:fs';
import Database, { SqliteError, type Connection } from './driver.ts';
import { makeDatabasePrivate } from '../file-modes.ts';
import { migrate, readSchemaVersion } from './migrate.ts';

export type { Connection };

export interface OpenOptions {
  /** one migration per schema version; released migrations never change */
  migrations: readonly string[];
  /**
   * `FULL`: a commit is on the disk when it returns; `NORMAL`: a power cut may undo the newest commits, but no earlier
   * ones
   */
  synchronous: 'FULL' | 'NORMAL';
  /** size of the page cache; default: 16 MiB */
  cacheKibibytes?: number;
  /** page size of a newly created database; default: 4,096 */
  pageBytes?: number;
  /** size of the WAL in pages at which a commit copies it into the database; 0: never; default: 1,000 */
  checkpointPages?: number;
}

/** Maximum time to wait while another connection writes, in milliseconds. */
export const BUSY_TIMEOUT = 5_000;
/**
 * Maximum size in bytes that a WAL keeps when it is reset. A larger WAL, for example after a large transaction, is
 * truncated to this size.
 */
const LARGEST_IDLE_WAL = 8 * 1_048_576;

/**
 * Opens a SQLite database in WAL mode, and migrates its schema. Creates the file if it does not exist, accessible to
 * its owner only. Several threads and processes may open the same database concurrently.
 *
 * @throws NewerSchema a newer release wrote the file; nothing was changed
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

/** Opens a read-only connection; returns null if the file does not exist or is empty. */
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
    if (isAbsent(file, error)) return null; // unlinked after it was opened
    throw error;
  }
  connection.close();
  return null;
};

/**
 * Returns whether the file does not exist. SQLite reports the same error for a file that can't be opened, for example
 * because there are too many open files, so the file system is checked too.
 */
const isAbsent = (file: string, error: unknown): boolean => codeOf(error) === 'SQLITE_CANTOPEN' && !existsSync(file);

/** Returns the code of an error of SQLite, such as `SQLITE_BUSY`; undefined for any other error. */
const codeOf = (error: unknown): string | undefined => (error instanceof SqliteError ? error.code : undefined);

/**
 * Changes a database to WAL mode. For the first change, SQLite needs exclusive access and does not wait for it. So the
 * change is retried.
 */
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
