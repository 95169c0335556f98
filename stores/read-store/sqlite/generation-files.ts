import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../file-modes.ts';
import { isDamage, orUnavailable } from '../../sqlite/failures.ts';
import { openDatabase, openForReading, type Connection } from '../../sqlite/open.ts';
import { GenerationDamaged, GenerationMissing, ReadStoreUnavailable, type Generation } from '../port.ts';
import { compareText } from '../values.ts';
import { CacheShares } from './cache-shares.ts';
import { defineTextMatches } from './expressions.ts';
import { GenerationFile } from './generation-file.ts';
import { MIGRATIONS } from './schema.ts';
import { WalBudget } from './wal-budget.ts';

export interface GenerationFilesOptions {
  /** the directory `read-models` in DATA_DIR; a writer creates it */
  directory: string;
  mode: 'writer' | 'reader';
  /** overrides {@link FILE_LIMITS} in tests */
  limits?: Partial<typeof FILE_LIMITS>;
}

/** Limits on the resources that all files opened by a thread use together. */
export const FILE_LIMITS = {
  /** total size of the page caches of a writer, in KiB; `readerCache`: of a reader */
  writerCache: 32_768,
  readerCache: 12_288,
  /** maximum total size in bytes of the WALs that a writer has written */
  wals: 32 * 1_048_576,
  /** milliseconds after which an unused file is closed; closing empties its WAL */
  idle: 60_000,
  /**
   * milliseconds between two checks for unused and dropped files; the check closes them, which frees the disk space of
   * dropped files
   */
  poll: 10_000,
};

export interface GenerationFiles {
  /** @throws GenerationMissing */
  of: (generation: Generation) => GenerationFile;
  /** Returns the file of a generation, and creates the file if it does not exist. */
  create: (generation: Generation) => GenerationFile;
  list: () => Generation[];
  /** Call after writing a generation. Limits the total size of the WALs. */
  noteWrite: (generation: Generation) => void;
  /** returns the size of the generation's files on disk, in bytes */
  size: (generation: Generation) => number;
  remove: (generation: Generation) => void;
  close: () => void;
}

const FILE = /^([a-z][a-z0-9_]*@\d+)\.(\d+)\.db$/;
/** Suffixes of a database and of the files that SQLite creates beside it. */
const PARTS = ['', '-wal', '-shm'];

/**
 * Maximum number of WALs to try in order to empty one. A single attempt can fail, because readers may be using the WAL.
 */
const MAX_TRIES = 3;
/** Number of uses after which page caches are divided again. */
const USES_TO_DIVIDE = 1_000;
/** Page cache in KiB of a database that has just been opened, until the caches are divided again. */
const FIRST_CACHE = 1_024;
/**
 * WAL size in pages at which SQLite runs a checkpoint. Ids are random, so each page is changed by many commits. If
 * checkpoints are rare, such a page is written to the database only once for many commits.
 */
const CHECKPOINT_PAGES = 2_000;
/**
 * Page size in bytes. A page of 8 KiB contains nine documents of about 900 bytes, such as results. A page of 4 KiB
 * would contain four, and waste more space.
 */
const PAGE_BYTES = 8_192;

interface OpenFile {
  file: GenerationFile;
  /** when the file was last used, by the monotonic clock */
  used: number;
}

/**
 * Manages the files of a directory, one per generation: `incidents@1.3.db`. A file is opened on first use, and closed
 * after a while without use. The total size of page caches and WALs is limited.
 */
export const openGenerationFiles = ({ directory, mode, limits }: GenerationFilesOptions): GenerationFiles => {
  const { writerCache, readerCache, wals: walBytes, idle, poll } = { ...FILE_LIMITS, ...limits };
  const open = new Map<string, OpenFile>();
  const caches = new CacheShares(mode === 'writer' ? writerCache : readerCache);
  const wals = new WalBudget(walBytes);
  let uses = 0;
  if (mode === 'writer') {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    makePrivate(directory);
  }

  const pathOf = (name: string): string => {
    if (!FILE.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid name of a generation.`);
    return join(directory, name);
  };

  const walOf = (name: string): number => statSync(`${pathOf(name)}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  const close = (name: string): void => {
    open.get(name)?.file.close();
    open.delete(name);
    caches.close(name);
    wals.record(name, 0);
  };

  const closeUnused = (): void => {
    const now = performance.now();
    for (const [name, { file, used }] of open) {
      if (!existsSync(pathOf(name))) close(name);
      else if (now - used > idle) {
        // Empties the WAL first, because closing does not empty it while another connection has the file open.
        if (mode === 'writer' && walOf(name) > 0) file.emptyWal();
        close(name);
      }
    }
  };

  const divideCaches = (): void => {
    uses = 0;
    for (const [name, kibibytes] of caches.divide()) open.get(name)?.file.limitCache(kibibytes);
  };

  const timer = setInterval(() => {
    try {
      closeUnused();
      divideCaches();
    } catch {
      // The next caller that uses the failing file gets the error.
    }
  }, poll).unref();

  /** Records that a file is used. */
  const used = (name: string, opened: OpenFile): GenerationFile => {
    opened.used = performance.now();
    caches.use(name);
    if (++uses >= USES_TO_DIVIDE) divideCaches();
    return opened.file;
  };

  const connect = (name: string): Connection => {
    const options = {
      migrations: MIGRATIONS,
      synchronous: 'NORMAL',
      cacheKibibytes: FIRST_CACHE,
      pageBytes: PAGE_BYTES,
      checkpointPages: CHECKPOINT_PAGES,
    } as const;
    return openDatabase(pathOf(name), options);
  };

  const keep = (name: string, connection: Connection): GenerationFile => {
    try {
      defineTextMatches(connection);
      const file = new GenerationFile(connection);
      if (mode === 'reader') file.limitCache(FIRST_CACHE);
      else wals.record(name, walOf(name));
      open.set(name, { file, used: performance.now() });
      return file;
    } catch (error) {
      connection.close();
      throw error;
    }
  };

  /**
   * Returns the file of a generation; null if it does not exist, or if its writer has not yet created the collections.
   */
  const existing = (name: string): GenerationFile | null => {
    const path = pathOf(name);
    const connection =
      mode === 'reader' ? openForReading(path, MIGRATIONS.length) : existsSync(path) ? connect(name) : null;
    if (!connection) return null;
    const file = keep(name, connection);
    if (file.isCreated) return file;
    close(name);
    return null;
  };

  return {
    of: (generation) => {
      const name = nameOf(generation);
      // Close a file that another process has unlinked: writes to an unlinked file would be lost without an error.
      if (mode === 'writer' && open.has(name) && !existsSync(pathOf(name))) close(name);
      if (!open.has(name)) existing(name);
      const opened = open.get(name);
      if (!opened) throw new GenerationMissing(generation);
      return used(name, opened);
    },

    create: (generation) => {
      const name = nameOf(generation);
      if (open.has(name) && !existsSync(pathOf(name))) close(name);
      return open.get(name)?.file ?? keep(name, connect(name));
    },

    noteWrite: (generation) => {
      const name = nameOf(generation);
      wals.record(name, walOf(name));
      // Stop after one WAL is empty, so that no commit takes long.
      for (const excess of wals.excess().slice(0, MAX_TRIES)) {
        const isEmpty = open.get(excess)?.file.emptyWal() ?? false;
        wals.record(excess, walOf(excess));
        if (isEmpty) return;
      }
    },

    list: () =>
      (existsSync(directory) ? readdirSync(directory) : [])
        .flatMap((name) => {
          const [, projection, number] = FILE.exec(name) ?? [];
          return projection !== undefined && number !== undefined ? [{ projection, number: Number(number) }] : [];
        })
        .sort((a, b) => compareText(a.projection, b.projection) || a.number - b.number),

    size: (generation) => {
      const path = pathOf(nameOf(generation));
      if (!existsSync(path)) throw new GenerationMissing(generation);
      return PARTS.reduce((bytes, part) => bytes + (statSync(path + part, { throwIfNoEntry: false })?.size ?? 0), 0);
    },

    remove: (generation) => {
      const name = nameOf(generation);
      close(name);
      // Remove the database first. If the process dies in between, the other files have no effect without the database.
      for (const part of PARTS) rmSync(pathOf(name) + part, { force: true });
    },

    close: () => {
      clearInterval(timer);
      for (const name of open.keys()) close(name);
    },
  };
};

const nameOf = ({ projection, number }: Generation): string => `${projection}.${number}.db`;

const orUnavailableFiles = orUnavailable('A read model', ReadStoreUnavailable);

/**
 * Runs an operation on the files. Converts errors of SQLite to those of the port.
 *
 * @throws GenerationDamaged
 * @throws ReadStoreUnavailable
 */
export const available = <T>(action: () => T, generation?: Generation): T =>
  orUnavailableFiles(() => {
    try {
      return action();
    } catch (error) {
      // A document that is not JSON must have been damaged after it was written.
      const damaged = isDamage(error) || error instanceof SyntaxError;
      if (generation && damaged) {
        const { message, code } = error as Error & { code?: string };
        throw new GenerationDamaged(generation, code === undefined ? message : `${message} (${code}).`, {
          cause: error,
        });
      }
      throw error;
    }
  });
