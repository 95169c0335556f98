import { existsSync } from 'node:fs';
import Database, { SqliteError, type Connection } from '../../sqlite/driver.ts';
import { isDamage } from '../../sqlite/failures.ts';
import { OlderSchema, readSchemaVersion } from '../../sqlite/migrate.ts';
import { openDatabase } from '../../sqlite/open.ts';

export type { Connection };

/**
 * Migrations of a log, one per schema version. Released migrations never change.
 *
 * A log may contain hundreds of millions of events, so rows store numbers where they can. `stream` and `kind` refer to
 * dictionaries. A kind is a type together with its category, so a filter by category becomes a filter by small
 * integers, and needs neither an index nor a column. `encoding` says how data and metadata are encoded (encoding.ts),
 * and contains the checksum of the event (checksum.ts). `position` is AUTOINCREMENT, so the position of a deleted event
 * is never reused. The last event of a stream is never deleted, because it contains the stream's revision. The table
 * `probe` is empty: a temporary write to it shows whether the disk has space again.
 *
 * `bounds` stores two positions. Events up to the first may lack a checksum, because an earlier release stored them.
 * Events up to the second may be absent, because retention removed them. After the second position, no event is missing.
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

/** Maximum time to wait while another process writes, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens a log for appends. Creates the file if it does not exist, and migrates its schema. Automatic WAL checkpoints
 * are off: the writer runs them when no caller waits for a result.
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
 * Opens a log for reading, while another connection may write to it.
 *
 * @throws NewerSchema
 * @throws OlderSchema no service of this release has opened the file yet
 * @throws Error the file does not exist, is damaged or can't be opened
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
