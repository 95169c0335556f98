import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { StoreUnavailable, type EventStore } from '../../stores/event-store/port.ts';
import { makePrivate } from '../../stores/private.ts';

/** Bytes held in reserve for a start on a full disk: many times what SQLite needs to open all databases. */
const RESERVED = 8 * 1_048_576;
/** Bytes free below which a disk counts as full at the start. */
const LEAST = 2 * 1_048_576;
/** Milliseconds between two checks for room. */
const LOOK = 1_000;

/** Whether there is room on the disk of a data directory. */
export interface DiskSpace {
  /** refuses appends while there is none; everything else goes on */
  guard: (store: EventStore) => EventStore;
  stop: () => void;
}

/**
 * Holds some space in a file, `reserve`. A start on a full disk gives it up, so all databases can be opened and read.
 * Appends are then refused until the reserve can be made again.
 *
 * @param told called with what happened, for the log of the process
 */
export const watchDiskSpace = (directory: string, told: (message: string) => void): DiskSpace => {
  const file = join(directory, 'reserve');
  const free = (): number => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
  let full = free() < LEAST;
  if (full) {
    rmSync(file, { force: true });
    told(`The disk of ${directory} is full: nothing is written until there is room again. Reads go on.`);
  } else makeReserve(file, free());

  const timer = full
    ? setInterval(() => {
        if (free() < RESERVED + LEAST) return;
        clearInterval(timer);
        makeReserve(file, free());
        full = false;
        told(`There is room on the disk of ${directory} again.`);
      }, LOOK)
    : undefined;

  const message = 'The disk is full. What is stored can be read; writes go on when there is room again.';
  return {
    guard: (store) => ({
      ...store,
      append: async (...given) => {
        if (full) throw new StoreUnavailable(message);
        return store.append(...given);
      },
      health: async () => (full ? { writable: false, message } : store.health()),
    }),
    stop: () => {
      clearInterval(timer);
    },
  };
};

/** Random bytes, since a file system may store zeros in no space. */
const makeReserve = (file: string, free: number): void => {
  makePrivate(file);
  if (existsSync(file) && statSync(file).size === RESERVED) return;
  rmSync(file, { force: true });
  if (free < RESERVED + LEAST) return;
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, randomBytes(RESERVED));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
