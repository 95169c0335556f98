import { chmodSync, statSync } from 'node:fs';

const FOR_OTHERS = 0o077;
/**
 * The sticky bit. Every user may create files in a folder with this bit, such as `/tmp`, so its mode must not change.
 */
const SHARED = 0o1000;

/**
 * Makes files and folders accessible to their owner only. Ignores files that do not exist, belong to another user, or
 * are on a file system without modes.
 */
export const makePrivate = (...paths: readonly string[]): void => {
  for (const path of paths) {
    try {
      const { mode } = statSync(path);
      if ((mode & FOR_OTHERS) !== 0 && (mode & SHARED) === 0) chmodSync(path, mode & 0o7700);
    } catch (error) {
      if (!UNCHANGEABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
};

const UNCHANGEABLE: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTSUP',
  'ENOSYS',
]);

/** Suffixes of the files that SQLite creates beside a database in use. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Makes a SQLite database accessible to its owner only. Call right after opening it. SQLite creates a database with the
 * mode that the umask allows. At the first statement, it creates the companion files with the mode of the database.
 * This function changes modes without opening the file, because closing a file releases the locks that other threads of
 * the process have on it.
 */
export const makeDatabasePrivate = (file: string): void => {
  makePrivate(file, ...COMPANIONS.map((ending) => `${file}${ending}`));
};
