import { existsSync } from 'node:fs';
import Database, { SqliteError, type Connection } from '../../sqlite/driver.ts';
import { isDamage } from '../../sqlite/failures.ts';
import { OlderSchema, readSchemaVersion } from '../../sqlite/migrate.ts';
import { openDatabase } from '../../sqlite/open.ts';

export type { Connection };

/**
 * Each step migrates a log by one schema version; released steps never change.
 *
 * A log may contain hundreds of millions of events, so rows store numbers where they can. `stream` and `kind` refer to
 * dictionaries. A kind is a type together with its category, so filtering by category means filtering by small
 * integers, without an index or column of its own. `encoding` says how data and metadata are encoded (encoding.ts), and
 * contains the checksum of the event (checksum.ts). `position` is AUTOINCREMENT, so no position is ever reused,
 * whatever is deleted. The last event of a stream is never deleted, since it contains the stream's revision. `probe` is
 * empty; a write to it tells whether the disk has space again.
 *
 * `bounds` stores up to which position events may lack a checksum, since an older release stored them, and up to which
 * position events may be absent, since retention removed them. Beyond the latter every position exists.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE kinds (
    kind INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    type TEXT NOT NULL,
    UNIQUE (category, type)
  ) STRICT;
  CREATE TABLE streams (
    stream INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    id BLOB NOT NULL,
    data ANY NOT NULL,
    metadata ANY
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE TABLE probe (filler BLOB) STRICT;
  `,
  `
  CREATE TABLE bounds (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    unchecked INTEGER NOT NULL,
    removed INTEGER NOT NULL
  ) STRICT;
  INSERT INTO bounds SELECT 1, last, last FROM (SELECT coalesce(max(seq), 0) AS last FROM sqlite_sequence);
  `,
];

/** Milliseconds to wait for another process that is writing. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens a log for appends; creates it if it is absent, and migrates its schema. The writer checkpoints the WAL while no
 * caller waits for a result.
 *
 * @throws NewerSchema
 * @throws Error the file is damaged or can't be opened
 */
export const openForWriting = (file: string): Connection => {
  try {
    return openDatabase(file, { migrations: MIGRATIONS, synchronous: 'FULL', checkpointPages: 0 });
  } catch (error) {
    throw withFileName(file, error);
  }
};

/**
 * Opens a log for reading beside its writer.
 *
 * @throws NewerSchema
 * @throws OlderSchema no service of this release has opened it yet
 * @throws Error there is no such log, it is damaged or can't be opened
 */
export const openForReading = (file: string): Connection => {
  const connection = open(file);
  try {
    if (readSchemaVersion(connection, MIGRATIONS.length) === MIGRATIONS.length) return connection;
    throw new OlderSchema(file);
  } catch (error) {
    connection.close();
    throw withFileName(file, error);
  }
};

/** Adds the file's name, which SQLite's own messages lack. */
const withFileName = (file: string, error: unknown): unknown => {
  if (!(error instanceof SqliteError)) return error;
  const { message } = error;
  const sentence = isDamage(error)
    ? `${file} is damaged: ${message}. Restore it from a backup.`
    : `${file} can't be opened: ${message}.`;
  return new Error(sentence, { cause: error });
};

const open = (file: string): Connection => {
  try {
    return new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
  } catch (error) {
    if (existsSync(file)) throw new Error(`${file} can't be opened: ${(error as Error).message}.`, { cause: error });
    throw new Error(`There is no log at ${file}.`, { cause: error });
  }
};
