import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivate } from '../../stores/file-modes.ts';
import { OperatorError } from '../operator-error.ts';

/** A folder that only this process uses. */
export interface SpoolFolder {
  path: string;
  release: () => void;
}

/**
 * Returns the start time of a process, in ticks since boot (proc(5)). Returns null if there is no such process, or if
 * the system does not report the time.
 */
const beginningOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in parentheses, and may itself contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
};

const thisProcess = (): string => `${process.pid} ${beginningOf(process.pid) ?? ''}`;

/**
 * Returns whether the process that is recorded in a lock is still running. A later process with the same pid does not
 * count.
 */
const isAlive = (holder: string): boolean => {
  const [pid = '', began = ''] = holder.trim().split(' ');
  return began !== '' && Number(pid) !== process.pid && beginningOf(Number(pid)) === began;
};

/**
 * Locks the folder of a spool, and creates it if it does not exist. Only its owner may read it.
 *
 * @throws OperatorError the folder can't be created or written to, or another process uses it
 */
export const takeSpoolFolder = (folder: string): SpoolFolder => {
  const path = resolve(folder);
  const lock = join(path, 'lock');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    makePrivate(path);
    if (!writeLock(lock)) {
      if (isAlive(readFileSync(lock, 'utf8')))
        throw new OperatorError(
          `Another runner uses the folder ${path}. Use --spool or DATA_DIR to give each runner its own.`,
        );
      rmSync(lock, { force: true });
      writeLock(lock);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `Results cannot be stored in ${path} (${(error as NodeJS.ErrnoException).code ?? String(error)}). Use --spool or DATA_DIR to name another folder.`,
    );
  }
  return {
    path,
    release: () => {
      rmSync(lock, { force: true });
    },
  };
};

/**
 * Writes a lock file.
 *
 * @returns false if the file already exists
 */
const writeLock = (lock: string): boolean => {
  try {
    writeFileSync(lock, thisProcess(), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};
