import { chmodSync, statSync } from 'node:fs';

const FOR_OTHERS = 0o077;
/** Everybody may create files in such a folder: it belongs to nobody in particular. */
const SHARED = 0o1000;

/**
 * Makes files and folders accessible to their owner only, whatever their modes were. What is absent, belongs to
 * another user or is on a file system without modes stays as it is.
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

/** Files that SQLite keeps beside a database in use. */
const BESIDE = ['-wal', '-shm', '-journal'];

/**
 * Makes a SQLite database accessible to its owner only, just after it was opened. SQLite makes a new one readable for
 * all whom the umask lets read, and gives the files beside it, created with the first statement, the database's mode.
 * The file is not opened for this: closing it again would end the locks that other threads hold on it.
 */
export const makeDatabasePrivate = (file: string): void => {
  makePrivate(file, ...BESIDE.map((ending) => `${file}${ending}`));
};
