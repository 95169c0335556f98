import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolder } from './flush.ts';

/** The databases of a backup, in the order in which they are copied (cli/backup/make.ts). */
export const BACKED_UP = ['coordination.db', 'events.db', 'results.db', 'keys.db'] as const;

/** Folder of a backup that contains the artifacts. Backups of earlier releases don't have it. */
const ARTIFACTS = 'artifacts';

/** Folder of a restore that is not completely prepared. The data directory still contains its previous data. */
export const UNFINISHED = 'restore.unfinished';
/** Folder of a completely prepared restore. Moving its files into place completes the restore. */
export const READY = 'restore.ready';

/** A replacement of data by a backup. */
export interface Replacement {
  /** name of the folder for the previous data */
  aside: string;
  /** when the backup was made */
  made_at: string;
}

/**
 * Finishes a restore in a data directory that no other process uses. A restore that is not completely prepared is
 * removed. The files of a prepared restore are moved into place, even if an earlier attempt was interrupted. To
 * distinguish previous files from restored ones after an interruption, a file is only moved aside while its replacement
 * has not been moved into place.
 *
 * @returns messages for the operator about what was done; none if there was nothing to finish
 */
export const finishRestore = (directory: string): string[] => {
  const messages: string[] = [];
  if (existsSync(join(directory, UNFINISHED))) {
    rmSync(join(directory, UNFINISHED), { recursive: true });
    messages.push('A restore was interrupted during its preparation; the data is unchanged.');
  }
  const ready = join(directory, READY);
  if (!existsSync(ready)) return messages;
  const file = join(ready, 'replacement.json');
  // This file is removed last. If it is missing, all other files are already in place.
  if (existsSync(file)) {
    const { aside, made_at } = JSON.parse(readFileSync(file, 'utf8')) as Replacement;
    const hadOldData = moveIntoPlace(directory, ready, join(directory, aside));
    messages.push(`The backup of ${made_at} was restored to ${directory}.`);
    if (hadOldData) messages.push(`The previous data is in ${join(directory, aside)}.`);
    flushFolder(directory);
    rmSync(file);
  }
  rmSync(ready, { recursive: true });
  flushFolder(directory);
  return messages;
};

/**
 * Suffixes of the files of a database, in the order in which they are moved aside. The database file itself comes last,
 * so that a `-wal` or `-journal` of the previous database never remains beside the new database file.
 */
const PARTS = ['-wal', '-shm', '-journal', ''];

/**
 * Moves the files of a restore into place.
 *
 * @returns whether previous files were moved aside
 */
const moveIntoPlace = (directory: string, ready: string, aside: string): boolean => {
  const putAside = (name: string): void => {
    if (!existsSync(join(directory, name))) return;
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(join(directory, name), join(aside, name));
  };
  const waiting = BACKED_UP.filter((name) => existsSync(join(ready, name)));
  // No file has been moved into place yet.
  if (waiting.length === BACKED_UP.length) for (const name of ['read-models', ARTIFACTS]) putAside(name);
  for (const name of waiting) {
    for (const part of PARTS) putAside(name + part);
    renameSync(join(ready, name), join(directory, name));
  }
  if (existsSync(join(ready, ARTIFACTS))) renameSync(join(ready, ARTIFACTS), join(directory, ARTIFACTS));
  if (!existsSync(aside)) return false;
  flushFolder(aside);
  return true;
};
