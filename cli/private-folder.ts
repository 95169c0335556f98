import { mkdirSync, readdirSync } from 'node:fs';
import { makePrivate } from '../stores/file-modes.ts';

/**
 * Creates a folder that only its owner may read. An existing folder gets the same mode, unless it contains files that
 * Uptrail did not write: Uptrail must not restrict access to those.
 *
 * @param ours whether Uptrail writes a file of this name into the folder
 * @throws Error of the file system
 */
export const makePrivateFolder = (folder: string, ours: (name: string) => boolean): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).every(ours)) makePrivate(folder);
};
