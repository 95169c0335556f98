import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes a file to disk and closes it. */
export const flush = (descriptor: number): void => {
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Flushes a file to disk. */
export const flushFile = (file: string): void => {
  flush(openSync(file, 'r+'));
};

/** Flushes the entries of a folder to disk. */
export const flushFolder = (folder: string): void => {
  flush(openSync(folder, 'r'));
};
