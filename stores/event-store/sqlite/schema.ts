import Database from 'better-sqlite3';

export type Connection = Database.Database;

/**
 * Each step brings a log one schema version forward; released steps never change.
 *
 * A log may hold hundreds of millions of events, so a row carries numbers where it can: `stream` and
 * `kind` are dictionaries, and a kind is a type together with its category, which makes the filter by
 * category a filter by small integers without an index or a column of its own. `encoding` says how data
 * and metadata are written: 0 is JSON text. `position` is AUTOINCREMENT, so that no position is ever used
 * twice, whatever is deleted. The last event of a stream is never deleted: it holds the stream's revision.
 * `probe` is empty; a write to it tells whether the disk has room again.
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
];

/** The file was written by a newer release. */
export class NewerSchema extends Error {
  constructor(file: string, version: number, known: number) {
    super(
      `${file} has schema version ${version.toString()}, but this release knows versions up to ${known.toString()} only. ` +
        'Please run the newer release that wrote it.',
    );
    this.name = 'NewerSchema';
  }
}

const versionOf = (connection: Connection): number => connection.pragma('user_version', { simple: true }) as number;

/**
 * Brings a database to the newest schema version, all steps or none.
 *
 * @throws NewerSchema and leaves the file as it is
 */
export const migrate = (connection: Connection, migrations: readonly string[] = MIGRATIONS): void => {
  const refuseNewer = (version: number): void => {
    if (version > migrations.length) throw new NewerSchema(connection.name, version, migrations.length);
  };
  const version = versionOf(connection);
  refuseNewer(version);
  if (version === migrations.length) return;
  connection
    .transaction(() => {
      // Read again under the lock: another process may have migrated meanwhile.
      const from = versionOf(connection);
      refuseNewer(from);
      for (const step of migrations.slice(from)) connection.exec(step);
      connection.pragma(`user_version = ${migrations.length.toString()}`);
    })
    .immediate();
};

/** Milliseconds to wait for another process that is writing. */
const BUSY_TIMEOUT = 5_000;
const CACHE_KIBIBYTES = 16_384;
const LARGEST_IDLE_WAL = 64 * 1_048_576;

/** Opens a log for appends, makes it if it is absent and brings its schema forward. */
export const openForWriting = (file: string): Connection => {
  const connection = new Database(file, { timeout: BUSY_TIMEOUT });
  try {
    // Before anything is written: a newer file stays untouched.
    if (versionOf(connection) > MIGRATIONS.length) migrate(connection);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    // Whoever writes moves the WAL into the database when nobody waits for an answer.
    connection.pragma('wal_autocheckpoint = 0');
    connection.pragma(`cache_size = -${CACHE_KIBIBYTES.toString()}`);
    connection.pragma(`journal_size_limit = ${LARGEST_IDLE_WAL.toString()}`);
    migrate(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};

/**
 * Opens a log for reading beside its writer.
 *
 * @throws NewerSchema
 * @throws Error there is no such log, or an older release wrote it and no service has opened it since
 */
export const openForReading = (file: string): Connection => {
  const connection = open(file);
  const version = versionOf(connection);
  if (version === MIGRATIONS.length) return connection;
  connection.close();
  if (version > MIGRATIONS.length) throw new NewerSchema(file, version, MIGRATIONS.length);
  throw new Error(`${file} was written by an older release. Please start the service once, which brings it forward.`);
};

const open = (file: string): Connection => {
  try {
    return new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
  } catch (error) {
    throw new Error(`There is no log to be read at ${file}.`, { cause: error });
  }
};
