import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { StoreUnavailable, type EventStore } from '../../stores/event-store/port.ts';
import { makePrivate } from '../../stores/file-modes.ts';

/**
 * Number of bytes that are reserved for a start on a full disk. SQLite needs far less than this to open all databases.
 */
const RESERVED = 8 * 1_048_576;
/** Number of free bytes below which a disk counts as full at the start. */
const LEAST = 2 * 1_048_576;
/** Interval between checks of the free space, in milliseconds. */
const POLL_MS = 1_000;

/** Watches the free space on the disk of a data directory. */
export interface DiskSpace {
  /** wraps a log so that it rejects appends while the disk is full. Reads continue */
  guard: (store: EventStore) => EventStore;
  stop: () => void;
}

/**
 * Reserves disk space in a file named `reserve`. A start on a full disk deletes this file, so that all databases can be
 * opened and read. Appends are then rejected until there is enough space to create the file again.
 *
 * @param log called with messages for the process log
 */
export const watchDiskSpace = (directory: string, log: (message: string) => void): DiskSpace => {
  const file = join(directory, 'reserve');
  const free = (): number => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
  let full = free() < LEAST;
  if (full) {
    rmSync(file, { force: true });
    log(`The disk of ${directory} is full: nothing is written until space is free again. Reads still work.`);
  } else makeReserve(file, free());

  const timer = full
    ? setInterval(() => {
        if (free() < RESERVED + LEAST) return;
        clearInterval(timer);
        makeReserve(file, free());
        full = false;
        log(`The disk of ${directory} has free space again.`);
      }, POLL_MS)
    : undefined;

  const message = 'The disk is full. Stored data can be read; writes will work again when space is free.';
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

/**
 * Creates the file of the reserve. It contains random bytes, because a file system may store zeros without using space.
 */
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
