import { SqliteError } from './driver.ts';

type Unavailable = new (message: string, options?: ErrorOptions) => Error;

/**
 * Runs an adapter's operations on its database. Failures of SQLite (disk full, read-only file system, damage, locked
 * for too long) become the port's own error; the caller's faults pass through unchanged.
 *
 * @param what the subject of the message: `A read model`
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

/** Whether SQLite has detected that a file is damaged. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
