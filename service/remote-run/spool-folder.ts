import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivate } from '../../stores/private.ts';
import { OperatorError } from '../operator-error.ts';

/** A folder that this process alone uses. */
export interface SpoolFolder {
  path: string;
  release: () => void;
}

/** When a process began, in ticks since the machine did (proc(5)); null: there is none, or the system does not say. */
const beginningOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid.toString()}/stat`, 'utf8');
    // The name of the program, in parentheses, may have spaces and parentheses itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
};

const thisProcess = (): string => `${process.pid.toString()} ${beginningOf(process.pid) ?? ''}`;

/** Whether what a lock says is a process that still runs, and not a later one with its number. */
const isAlive = (holder: string): boolean => {
  const [pid = '', began = ''] = holder.trim().split(' ');
  return began !== '' && Number(pid) !== process.pid && beginningOf(Number(pid)) === began;
};

/**
 * Makes the folder of a spool, or takes over what an earlier process has left there. Only its owner may read it.
 *
 * @throws OperatorError it can't be made or written to, or another process uses it
 */
export const takeSpoolFolder = (folder: string): SpoolFolder => {
  const path = resolve(folder);
  const lock = join(path, 'lock');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    makePrivate(path);
    if (!writeLock(lock)) {
      if (isAlive(readFileSync(lock, 'utf8')))
        throw new OperatorError(`Another runner uses the folder ${path}. Give each its own by --spool or DATA_DIR.`);
      rmSync(lock, { force: true });
      writeLock(lock);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `Results can't be kept in ${path} (${(error as NodeJS.ErrnoException).code ?? String(error)}). --spool or DATA_DIR names another folder.`,
    );
  }
  return {
    path,
    release: () => {
      rmSync(lock, { force: true });
    },
  };
};

/** @returns false: there is one */
const writeLock = (lock: string): boolean => {
  try {
    writeFileSync(lock, thisProcess(), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};
