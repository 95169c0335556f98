import { mkdirSync, readdirSync } from 'node:fs';
import { makePrivate } from '../stores/file-modes.ts';

/**
 * Creates a folder that only its owner can read. If an existing folder contains only files of Uptrail, it becomes
 * readable for its owner only. Otherwise its mode stays the same, because access to other files must not be restricted.
 *
 * @param ours whether Uptrail writes a file of this name into the folder
 * @throws Error an error of the file system
 */
export const makePrivateFolder = (folder: string, ours: (name: string) => boolean): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).every(ours)) makePrivate(folder);
};
