import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { makeDatabasePrivate } from '../../stores/private.ts';
import Database from '../../stores/sqlite/driver.ts';

/** All pages at once: a copy made in steps starts over whenever somebody writes in between. */
const EVERYTHING = 0x7fffffff;

/** Makes a consistent copy by SQLite's online backup; writers are not held up. */
export const copyDatabase = async (file: string, copy: string): Promise<void> => {
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  makeDatabasePrivate(copy);
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  try {
    await connection.backup(copy, { progress: () => EVERYTHING });
  } finally {
    connection.close();
  }
};

/** Leaves no WAL beside a database, so that it can be read where nothing can be written. */
export const asOneFile = (file: string): void => {
  const connection = new Database(file);
  connection.pragma('journal_mode = DELETE');
  connection.close();
  if (existsSync(`${file}-wal`)) throw new Error(`${basename(file)} is in use`);
};
