import type { Connection } from './driver.ts';

/** The file was written by a newer release. */
export class NewerSchema extends Error {
  constructor(file: string, version: number, known: number) {
    super(
      `${file} has schema version ${version}, but this release knows versions up to ${known} only. ` +
        'Run the newer release that wrote it.',
    );
    this.name = 'NewerSchema';
  }
}

/** The file was written by an earlier release. It was opened only for reading, so it can't be migrated. */
export class OlderSchema extends Error {
  constructor(file: string) {
    super(`${file} was written by an older release. Start the service once, which migrates it.`);
    this.name = 'OlderSchema';
  }
}

/**
 * Returns the schema version of a database; 0 if nothing was written to it.
 *
 * @throws NewerSchema the version is above `known`
 */
export const readSchemaVersion = (connection: Connection, known: number): number => {
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version > known) throw new NewerSchema(connection.name, version, known);
  return version;
};

/**
 * Migrates a database to the newest schema version. Runs all necessary steps, or none.
 *
 * @throws NewerSchema the file is unchanged
 */
export const migrate = (connection: Connection, migrations: readonly string[]): void => {
  if (readSchemaVersion(connection, migrations.length) === migrations.length) return;
  connection
    .transaction(() => {
      // The version is read again under the lock, because another connection may have migrated the database after the
      // first read.
      const from = readSchemaVersion(connection, migrations.length);
      for (const step of migrations.slice(from)) connection.exec(step);
      connection.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
};
