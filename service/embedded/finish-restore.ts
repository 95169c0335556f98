import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolder } from './flush.ts';

/** The databases of a backup, in the order in which they are copied (cli/backup/make.ts). */
export const BACKED_UP = ['coordination.db', 'events.db', 'results.db', 'keys.db'] as const;

/** A folder of a backup; backups of older releases lack it. */
const ARTIFACTS = 'artifacts';

/** A restore in preparation: the data is still the old data. */
export const UNFINISHED = 'restore.unfinished';
/** A prepared restore: the data becomes the backup's as soon as its files are moved into place. */
export const READY = 'restore.ready';

/** What a restore replaces. */
export interface Replacement {
  /** name of the folder for the old data */
  aside: string;
  /** when the backup was made */
  made_at: string;
}

/**
 * Finishes a restore in a data directory that no other process uses. An unprepared restore is removed. The files of a
 * prepared one are moved into place, even if that was interrupted before. Each file moves once: an old file is moved
 * aside only while the new one waits.
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
  // Removed last: without it, all files are in place.
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
 * The files of a database, ordered so that those without which the rest would be read as a different database come
 * first.
 */
const PARTS = ['-wal', '-shm', '-journal', ''];

/** @returns whether old files were moved aside */
const moveIntoPlace = (directory: string, ready: string, aside: string): boolean => {
  const putAside = (name: string): void => {
    if (!existsSync(join(directory, name))) return;
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(join(directory, name), join(aside, name));
  };
  const waiting = BACKED_UP.filter((name) => existsSync(join(ready, name)));
  // Nothing has been moved into place yet.
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
