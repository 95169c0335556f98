import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { makeDatabasePrivate } from '../../stores/file-modes.ts';
import Database from '../../stores/sqlite/driver.ts';

/**
 * Number of pages per step: all pages. A copy in several steps starts over whenever another process writes between two
 * steps.
 */
const EVERYTHING = 0x7fffffff;

/** Makes a consistent copy of a database with SQLite's online backup. Writers are not blocked. */
export const copyDatabase = async (file: string, copy: string): Promise<void> => {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  makeDatabasePrivate(copy);
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  try {
    await connection.backup(copy, { progress: () => EVERYTHING });
  } finally {
    connection.close();
  }
};

/** Removes the write-ahead log of a database, so that the database can be read from a read-only location. */
export const removeWal = (file: string): void => {
  const connection = new Database(file);
  connection.pragma('journal_mode = DELETE');
  connection.close();
  if (existsSync(`${file}-wal`)) throw new Error(`${basename(file)} is in use`);
};
