import { SqliteError } from './driver.ts';

type Unavailable = new (message: string, options?: ErrorOptions) => Error;

/**
 * Returns a function that runs an adapter's operations on its database. It converts failures of SQLite (disk full,
 * read-only file system, damage, locked for too long) to the error class of the port, and throws errors that the caller
 * causes unchanged.
 *
 * @param what subject of the error message: `A read model`
 */
export const orUnavailable =
  (what: string, Unavailable: Unavailable) =>
  <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SqliteError) || error.code === 'SQLITE_ERROR') throw error;
      throw new Unavailable(`${what} can't be used: ${error.message} (${error.code}).`, { cause: error });
    }
  };

/** Returns whether SQLite has detected that a file is damaged. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
