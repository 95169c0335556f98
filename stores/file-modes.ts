import { chmodSync, statSync } from 'node:fs';

const FOR_OTHERS = 0o077;
/** Sticky bit: everybody may create files in such a folder, so its mode must stay. */
const SHARED = 0o1000;

/**
 * Makes files and folders accessible to their owner only, whatever their modes were. Files that are absent, belong to
 * another user or are on a file system without modes stay unchanged.
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

/** Files that SQLite creates beside a database in use. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Makes a SQLite database accessible to its owner only, right after it was opened. SQLite creates a new one with the
 * mode that the umask allows, and creates the files beside it, at the first statement, with the database's mode. The
 * file is not opened for this: closing it again would release the locks that other threads hold on it.
 */
export const makeDatabasePrivate = (file: string): void => {
  makePrivate(file, ...COMPANIONS.map((ending) => `${file}${ending}`));
};
