import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Closes a file; returns when what was written is on the disk. */
export const flush = (descriptor: number): void => {
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Returns when what was written to a file is on the disk. */
export const flushFile = (file: string): void => {
  flush(openSync(file, 'r+'));
};

/** Returns when the names in a folder are on the disk. */
export const flushFolder = (folder: string): void => {
  flush(openSync(folder, 'r'));
};
