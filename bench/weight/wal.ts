/**
 * Counts the pages written to the WAL files of SQLite databases. The count is read from the index that SQLite maintains
 * for each WAL (`-shm`).
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Offsets in the header of the index. The numbers in the header have the byte order of the machine
 * (sqlite.org/walformat.html).
 */
const FRAMES = 16;
const SALTS = 32;
const HEADER = 48;

interface Index {
  /** number of pages in the WAL */
  frames: number;
  /** changes when the WAL is reset */
  salts: string;
}

/** Reads the index of a WAL; returns null if the WAL is empty or does not exist. */
const indexOf = (file: string): Index | null => {
  let descriptor;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return null;
  }
  try {
    const header = Buffer.alloc(HEADER);
    if (readSync(descriptor, header, 0, HEADER, 0) < HEADER) return null;
    const frames = new Uint32Array(header.buffer, header.byteOffset + FRAMES, 1)[0] ?? 0;
    return { frames, salts: header.toString('hex', SALTS, SALTS + 8) };
  } finally {
    closeSync(descriptor);
  }
};

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/**
 * Counts the pages written to the databases below a folder. Call the returned function often: when a WAL has been
 * reset, pages written between the previous call and the reset are not counted.
 *
 * @returns a function that returns the count since its previous call
 */
export const countPages = (folder: string): (() => number) => {
  const known = new Map<string, Index>();
  const ask = (): number => {
    let written = 0;
    for (const file of filesIn(folder, '-shm')) {
      const now = indexOf(file);
      if (!now) continue;
      const before = known.get(file);
      known.set(file, now);
      written += before?.salts === now.salts ? now.frames - before.frames : now.frames;
    }
    return written;
  };
  ask();
  return ask;
};

/** Returns the total size of all WAL files below a folder, in bytes. */
export const walBytes = (folder: string): number =>
  filesIn(folder, '-wal').reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
