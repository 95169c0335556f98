import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase, openForReading } from '../../sqlite/open.ts';
import { measured } from '../measured.ts';
import type { Usage } from '../port.ts';
import { flushed, pathOf } from './contents.ts';
import { indexIn, MIGRATIONS, type ArtifactIndex, type Indexed } from './index.ts';
import { contentFolderIn, indexFileIn } from './open.ts';

/** What a folder of artifacts holds. */
export interface Contained extends Usage {
  /** paths of files that are missing, or differ from what was stored */
  lost: string[];
}

/**
 * Reads the files of all artifacts in a folder. A service may be using the folder.
 *
 * @returns null when there are none
 */
export const readContents = async (folder: string): Promise<Contained | null> => {
  const index = openIndex(folder);
  if (!index) return null;
  try {
    return await goThrough(index, folder, index, { take: (_, bytes) => drained(bytes) });
  } finally {
    index.close();
  }
};

/**
 * Copies the files of all artifacts in an index that was copied before. What is missing or damaged is removed from the
 * copied index. A service may be using the source folder.
 *
 * @param to a folder that holds the copied index and nothing else
 */
export const copyContents = async (from: string, to: string): Promise<Contained> => {
  const copied = openDatabase(indexFileIn(to), { migrations: MIGRATIONS, synchronous: 'FULL' });
  const live = openIndex(from);
  try {
    const index = indexIn(copied, NO_LIMITS);
    const folders = new Set([contentFolderIn(to)]);
    await mkdir(contentFolderIn(to), { mode: 0o700 });
    const found = await goThrough(index, from, live, {
      take: async (row, bytes) => {
        const file = fileOf(to, row);
        const folder = dirname(file);
        if (!folders.has(folder)) await mkdir(folder, { mode: 0o700 });
        folders.add(folder);
        await writeFile(file, bytes, { mode: 0o600, flag: 'wx', flush: true });
      },
      leaveOut: async (row) => {
        index.remove(row.id);
        await rm(fileOf(to, row), { force: true });
      },
    });
    for (const folder of folders) await flushed(folder);
    return found;
  } finally {
    live?.close();
    copied.close();
  }
};

const NO_LIMITS = { runFiles: Infinity, runBytes: Infinity, organizationBytes: Infinity };

const openIndex = (folder: string): (ArtifactIndex & { close: () => void }) | null => {
  const connection = openForReading(indexFileIn(folder), MIGRATIONS.length);
  return connection && { ...indexIn(connection, NO_LIMITS), close: () => void connection.close() };
};

const fileOf = (folder: string, { content }: Indexed): string => join(contentFolderIn(folder), pathOf(content));

interface Takers {
  take: (row: Indexed, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** what was read, or nothing, differs from what was stored */
  leaveOut?: (row: Indexed) => Promise<void>;
}

/** @param live tells which files have been removed meanwhile and so are not missing */
const goThrough = async (
  index: ArtifactIndex,
  folder: string,
  live: ArtifactIndex | null,
  { take, leaveOut }: Takers,
): Promise<Contained> => {
  const found: Contained = { files: 0, bytes: 0, lost: [] };
  for (let page = index.page(null); page.length > 0; page = index.page(page.at(-1) ?? null)) {
    for (const row of page) {
      const file = fileOf(folder, row);
      if (await isWhole(file, row, (bytes) => take(row, bytes))) {
        found.files++;
        found.bytes += row.size;
        continue;
      }
      if (live?.find(row.id)?.content === row.content) found.lost.push(file);
      await leaveOut?.(row);
    }
  }
  return found;
};

/** The file differs from what was stored. */
class NotWhole extends Error {}

/** Passes a file on, and checks on the way that it is what was stored. */
const isWhole = async (
  file: string,
  { size, sha256 }: Indexed,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<boolean> => {
  try {
    const { bytes, result } = measured(contentOf(file), size, () => new NotWhole());
    await take(bytes);
    return result().sha256 === sha256;
  } catch (error) {
    if (error instanceof NotWhole) return false;
    throw error;
  }
};

const CHUNK = 262_144;

/** @throws NotWhole the file can't be read */
async function* contentOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  const notWhole = (error: unknown): never => {
    throw new NotWhole(file, { cause: error });
  };
  const handle = await open(file, 'r').catch(notWhole);
  try {
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK).catch(notWhole);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const drained = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  const parts = bytes[Symbol.asyncIterator]();
  while (!(await parts.next()).done);
};
