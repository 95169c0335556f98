import { constants } from 'node:fs';
import { mkdir, open, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase, openForReading } from '../../sqlite/open.ts';
import { measure } from '../measure.ts';
import type { Usage } from '../port.ts';
import { flushFolder, isContentName, contentPath } from './contents.ts';
import { openFileIndex, MIGRATIONS, type FileArtifactIndex, type IndexedArtifact } from './index.ts';
import { contentFolderPath, indexFilePath } from './open.ts';

/** The result of verifying or copying an artifacts folder. */
export interface FolderContents extends Usage {
  /**
   * for each file that is missing or differs from the stored content: its path, or the artifact's id if the index
   * contains no valid file name
   */
  lost: string[];
}

/**
 * Verifies the files of all artifacts in a folder. Safe while a service uses the folder.
 *
 * @returns null if the folder has no index
 */
export const verifyContents = async (folder: string): Promise<FolderContents | null> => {
  const index = openIndex(folder);
  if (!index) return null;
  try {
    return await forEachArtifact(index, folder, index, { take: (_, bytes) => drained(bytes) });
  } finally {
    index.close();
  }
};

/**
 * Copies the content files of all artifacts that the already copied index lists. Removes artifacts from the copied
 * index if their file is missing or damaged. Safe while a service uses the source folder.
 *
 * @param to a folder that contains only the copied index
 */
export const copyContents = async (from: string, to: string): Promise<FolderContents> => {
  const copied = openDatabase(indexFilePath(to), { migrations: MIGRATIONS, synchronous: 'FULL' });
  const live = openIndex(from);
  try {
    const index = openFileIndex(copied, NO_LIMITS);
    const folders = new Set([contentFolderPath(to)]);
    /** path of the file being written; null while none is */
    let copying: string | null = null;
    await mkdir(contentFolderPath(to), { mode: 0o700 });
    const found = await forEachArtifact(index, from, live, {
      take: async (row, bytes) => {
        const file = fileOf(to, row);
        const folder = dirname(file);
        if (!folders.has(folder)) await mkdir(folder, { mode: 0o700 });
        folders.add(folder);
        const handle = await open(file, 'wx', 0o600).catch(notWhole);
        copying = file;
        try {
          await writeFile(handle, bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
      },
      taken: () => {
        copying = null;
      },
      leaveOut: async (row) => {
        index.remove(row.id);
        if (copying !== null) await rm(copying, { force: true });
        copying = null;
      },
    });
    for (const folder of folders) await flushFolder(folder);
    return found;
  } finally {
    live?.close();
    copied.close();
  }
};

const NO_LIMITS = { runFiles: Infinity, runBytes: Infinity, organizationBytes: Infinity };

const openIndex = (folder: string): (FileArtifactIndex & { close: () => void }) | null => {
  const connection = openForReading(indexFilePath(folder), MIGRATIONS.length);
  return connection && { ...openFileIndex(connection, NO_LIMITS), close: () => void connection.close() };
};

const fileOf = (folder: string, { content }: IndexedArtifact): string =>
  join(contentFolderPath(folder), contentPath(content));

interface CopyActions {
  take: (row: IndexedArtifact, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** called when the copied file equals the stored one */
  taken?: () => void;
  /** called when the file is missing or differs from the stored one */
  leaveOut?: (row: IndexedArtifact) => Promise<void>;
}

/**
 * @param live the index that the service uses; a file that the service removed after the index was copied is not
 * reported as lost
 */
const forEachArtifact = async (
  index: FileArtifactIndex,
  folder: string,
  live: FileArtifactIndex | null,
  { take, taken, leaveOut }: CopyActions,
): Promise<FolderContents> => {
  const found: FolderContents = { files: 0, bytes: 0, lost: [] };
  for (let page = index.page(null); page.length > 0; page = index.page(page.at(-1) ?? null)) {
    for (const row of page) {
      if (await passVerified(folder, row, (bytes) => take(row, bytes))) {
        taken?.();
        found.files++;
        found.bytes += row.size;
        continue;
      }
      const isNamed = isContentName(row.content);
      if (live?.find(row.id)?.content === row.content)
        found.lost.push(isNamed ? fileOf(folder, row) : `The artifact ${row.id}`);
      await leaveOut?.(row);
    }
  }
  return found;
};

/** A file whose content differs from the stored content. */
class ContentMismatch extends Error {}

/**
 * Passes the content of a file to `take`, and verifies its size and hash.
 *
 * @returns false if the file is missing or differs from the stored content
 */
const passVerified = async (
  folder: string,
  row: IndexedArtifact,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<boolean> => {
  const { size, sha256, content } = row;
  // The index might be manipulated: a name in it must only lead to a regular file inside the folder.
  if (!isContentName(content) || !Number.isSafeInteger(size)) return false;
  try {
    const { bytes, result } = measure(contentOf(folder, row), size, () => new ContentMismatch());
    await take(bytes);
    return result().sha256 === sha256;
  } catch (error) {
    if (error instanceof ContentMismatch) return false;
    throw error;
  }
};

const CHUNK = 262_144;

const notWhole = (error: unknown): never => {
  throw new ContentMismatch('A file differs from what was stored.', { cause: error });
};

/** @throws ContentMismatch the file can't be read, is not a regular file, or is a symbolic link */
async function* contentOf(folder: string, row: IndexedArtifact): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await realpath(fileOf(folder, row)).catch(notWhole);
  const inside = join(await realpath(contentFolderPath(folder)).catch(notWhole), contentPath(row.content));
  if (file !== inside) throw new ContentMismatch();
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(notWhole);
  try {
    if (!(await handle.stat()).isFile()) throw new ContentMismatch();
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
