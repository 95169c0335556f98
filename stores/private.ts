import { chmodSync, statSync } from 'node:fs';

const FOR_OTHERS = 0o077;
/** Everybody may make files in such a folder: it is nobody's own. */
const SHARED = 0o1000;

/**
 * Makes files and folders their owner's alone, whatever their modes were. What is absent, belongs to another user
 * or stands on a file system that keeps no modes stays as it is.
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

/** What SQLite keeps beside a database in use. */
const BESIDE = ['-wal', '-shm', '-journal'];

/**
 * Makes a SQLite database its owner's alone, just after it was opened: SQLite makes a new one readable for all that
 * the umask lets read, and gives the files beside it, which come with the first statement, the mode of the database.
 * The file is not opened for it: closing it again would end the locks that other threads hold on it.
 */
export const makeDatabasePrivate = (file: string): void => {
  makePrivate(file, ...BESIDE.map((ending) => `${file}${ending}`));
};
