import { join } from 'node:path';
import { makeDatabasePrivate } from './file-modes.ts';
import Database, { SqliteError } from './sqlite/driver.ts';

export interface ServiceLock {
  release: () => void;
}

/** Another service uses the same directory. */
export class DirectoryInUse extends Error {
  constructor(directory: string) {
    super(`Another Uptrail service is running on ${directory}. Stop it first, or give this one another DATA_DIR.`);
    this.name = 'DirectoryInUse';
  }
}

/**
 * Makes this process the only service of a data directory, until it releases the lock or ends. The lock is an exclusive
 * transaction on the file `service.lock`, so the operating system releases it even after `kill -9`.
 *
 * @throws DirectoryInUse
 */
export const lockService = (directory: string): ServiceLock => {
  const file = join(directory, 'service.lock');
  const connection = new Database(file, { timeout: 0 });
  makeDatabasePrivate(file);
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DirectoryInUse(directory);
    }
    throw error;
  }
  return {
    release: () => {
      connection.close();
    },
  };
};
