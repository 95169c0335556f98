import { mkdirSync, readdirSync } from 'node:fs';
import { makePrivate } from '../stores/private.ts';

/**
 * Makes a folder for what only its owner may read. One that is there already becomes so too, unless it holds
 * anything else than what Uptrail put there: that is not for Uptrail to hide.
 *
 * @param ours whether Uptrail puts a file of this name there
 * @throws Error of the file system
 */
export const makeOwnFolder = (folder: string, ours: (name: string) => boolean): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).every(ours)) makePrivate(folder);
};
