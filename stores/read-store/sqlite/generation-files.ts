import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../private.ts';
import { isDamage, orUnavailable } from '../../sqlite/failures.ts';
import { openDatabase, openForReading, type Connection } from '../../sqlite/open.ts';
import { GenerationDamaged, GenerationMissing, ReadStoreUnavailable, type Generation } from '../port.ts';
import { compareText } from '../values.ts';
import { defineTextMatches } from './expressions.ts';
import { GenerationFile } from './generation-file.ts';
import { MIGRATIONS } from './schema.ts';

export interface GenerationFilesOptions {
  /** `read-models` in DATA_DIR; a writer creates it */
  directory: string;
  mode: 'writer' | 'reader';
}

export interface GenerationFiles {
  /** @throws GenerationMissing */
  of: (generation: Generation) => GenerationFile;
  /** Creates it if it is absent. */
  make: (generation: Generation) => GenerationFile;
  list: () => Generation[];
  /** bytes on disk */
  size: (generation: Generation) => number;
  remove: (generation: Generation) => void;
  close: () => void;
}

const FILE = /^([a-z][a-z0-9_]*@\d+)\.(\d+)\.db$/;
/** a database and what SQLite keeps beside it */
const PARTS = ['', '-wal', '-shm'];

/** Milliseconds after which, at the latest, a reader closes a dropped generation, and the disk gets its space back. */
const LOOK_FOR_DROPPED = 10_000;
const CACHE_KIBIBYTES = 32_768;
/** Pages under random ids soon change again: copied less often from the WAL, they are written once for many commits. */
const CHECKPOINT_PAGES = 2_000;
/** Nine documents of some 900 bytes, such as results, fill a page of this size; four waste more of one half as large. */
const PAGE_BYTES = 8_192;

/** The files of a directory, one per generation: `incidents@1.3.db`. Opened at first use. */
export const openGenerationFiles = ({ directory, mode }: GenerationFilesOptions): GenerationFiles => {
  const open = new Map<string, GenerationFile>();
  if (mode === 'writer') {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    makePrivate(directory);
  }

  const pathOf = (name: string): string => {
    if (!FILE.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid name of a generation.`);
    return join(directory, name);
  };

  const close = (name: string): void => {
    open.get(name)?.close();
    open.delete(name);
  };

  const closeDropped = (): void => {
    for (const name of open.keys()) if (!existsSync(pathOf(name))) close(name);
  };

  const timer = mode === 'reader' ? setInterval(closeDropped, LOOK_FOR_DROPPED).unref() : undefined;

  const connect = (name: string): Connection => {
    const options = {
      migrations: MIGRATIONS,
      synchronous: 'NORMAL',
      cacheKibibytes: CACHE_KIBIBYTES,
      pageBytes: PAGE_BYTES,
      checkpointPages: CHECKPOINT_PAGES,
    } as const;
    return openDatabase(pathOf(name), options);
  };

  const keep = (name: string, connection: Connection): GenerationFile => {
    try {
      defineTextMatches(connection);
      const file = new GenerationFile(connection);
      open.set(name, file);
      return file;
    } catch (error) {
      connection.close();
      throw error;
    }
  };

  /** Null if it does not exist, or its maker has not yet created its collections. */
  const existing = (name: string): GenerationFile | null => {
    const path = pathOf(name);
    const connection =
      mode === 'reader' ? openForReading(path, MIGRATIONS.length) : existsSync(path) ? connect(name) : null;
    if (!connection) return null;
    const file = keep(name, connection);
    if (file.made) return file;
    close(name);
    return null;
  };

  return {
    of: (generation) => {
      const name = nameOf(generation);
      // What is written to a file that another process has unlinked would be lost silently.
      if (mode === 'writer' && open.has(name) && !existsSync(pathOf(name))) close(name);
      const file = open.get(name) ?? existing(name);
      if (!file) throw new GenerationMissing(generation);
      return file;
    },

    make: (generation) => {
      const name = nameOf(generation);
      if (open.has(name) && !existsSync(pathOf(name))) close(name);
      return open.get(name) ?? keep(name, connect(name));
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
      // The database first: without it the rest does not count, should the process die in between.
      for (const part of PARTS) rmSync(pathOf(name) + part, { force: true });
    },

    close: () => {
      clearInterval(timer);
      for (const name of open.keys()) close(name);
    },
  };
};

const nameOf = ({ projection, number }: Generation): string => `${projection}.${number.toString()}.db`;

const orUnavailableFiles = orUnavailable('A read model', ReadStoreUnavailable);

/**
 * Runs an operation on the files, or on that of a generation.
 *
 * @throws GenerationDamaged
 * @throws ReadStoreUnavailable
 */
export const available = <T>(action: () => T, generation?: Generation): T =>
  orUnavailableFiles(() => {
    try {
      return action();
    } catch (error) {
      // A document that is not JSON was not written that way.
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
