import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolder } from './flush.ts';

/** The databases of a backup, in the order in which they are copied (cli/backup/make.ts). */
export const BACKED_UP = ['coordination.db', 'events.db', 'results.db', 'keys.db'] as const;

/** A folder of a backup; backups of older releases don't have it. */
const ARTIFACTS = 'artifacts';

/** A restore that is being prepared: the data is still the old data. */
export const UNFINISHED = 'restore.unfinished';
/** A restore that is decided: the data is the backup's as soon as its files are in their places. */
export const READY = 'restore.ready';

/** What a restore replaces. */
export interface Replacement {
  /** name of the folder that takes the old data */
  aside: string;
  /** when the backup was made */
  made_at: string;
}

/**
 * Finishes a restore, in a data directory that nobody else uses. A restore that was not ready is cleared away. The
 * files of one that was ready are put in their places, even if that was interrupted before. Each file moves once: an
 * old file is put aside only while the new one waits.
 *
 * @returns what was done, in sentences for the operator; none when there was nothing to finish
 */
export const finishRestore = (directory: string): string[] => {
  const said: string[] = [];
  if (existsSync(join(directory, UNFINISHED))) {
    rmSync(join(directory, UNFINISHED), { recursive: true });
    said.push('A restore was interrupted before it was ready; the data is as it was before.');
  }
  const ready = join(directory, READY);
  if (!existsSync(ready)) return said;
  const file = join(ready, 'replacement.json');
  // It goes last: once it is gone, all files are in their places.
  if (existsSync(file)) {
    const { aside, made_at } = JSON.parse(readFileSync(file, 'utf8')) as Replacement;
    const kept = putInPlace(directory, ready, join(directory, aside));
    said.push(`The backup of ${made_at} is restored in ${directory}.`);
    if (kept) said.push(`What was there before is kept in ${join(directory, aside)}.`);
    flushFolder(directory);
    rmSync(file);
  }
  rmSync(ready, { recursive: true });
  flushFolder(directory);
  return said;
};

/** Parts of a database; first those without which the rest would be read as a different database. */
const PARTS = ['-wal', '-shm', '-journal', ''];

/** @returns whether there was something to put aside */
const putInPlace = (directory: string, ready: string, aside: string): boolean => {
  const putAside = (name: string): void => {
    if (!existsSync(join(directory, name))) return;
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(join(directory, name), join(aside, name));
  };
  const waiting = BACKED_UP.filter((name) => existsSync(join(ready, name)));
  // Nothing is in its place yet.
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
