import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makePrivate } from '../../file-modes.ts';
import { ArtifactLost, ArtifactsUnavailable, type ByteRange } from '../port.ts';

/**
 * Free space in bytes that artifacts leave on the disk for the event logs: four times the space that the data folder
 * reserves. A small service can still create reports on a 60 MB disk.
 */
const LEFT_FREE = 32 * 1_048_576;

/**
 * The name of a content file: random, for example `0a9f…`. The file lies in the folder named after the first two
 * digits.
 */
const CONTENT = /^[0-9a-f]{32}$/;
const newContent = (): string => randomBytes(16).toString('hex');
const folderOf = (content: string): string => content.slice(0, 2);

/**
 * Returns whether `newContent` could have created this name. In an index restored from a backup, names might have been
 * manipulated to lead to files outside the folder.
 */
export const isContentName = (content: unknown): content is string =>
  typeof content === 'string' && CONTENT.test(content);

/**
 * Returns the path of a content file, relative to the content folder.
 *
 * @throws ArtifactLost `newContent` can't have created this name
 */
export const contentPath = (content: string): string => {
  if (!isContentName(content)) throw new ArtifactLost('A file of the index of artifacts without a valid name');
  return join(folderOf(content), content);
};

/** Content files in a folder that only its owner may read. */
export interface FileContents {
  /**
   * Writes content to a new file, which is durable when the promise resolves.
   *
   * @returns the name of the file
   *
   * @throws ArtifactsUnavailable
   */
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<string>;
  /** Call after a written file was added to the index or discarded: from then on, `sweep` may remove the file. */
  done: (content: string) => void;
  read: (content: string, size: number, range?: ByteRange) => Promise<Readable>;
  remove: (content: string) => Promise<void>;
  /**
   * Removes files that are neither in the index nor being written, and makes the remaining files readable for the owner
   * only.
   *
   * @returns the number of files removed
   */
  sweep: (isTold: (content: string) => boolean) => Promise<number>;
}

/** @param free returns the free bytes of a disk; replaced in tests */
export const openFileContents = (folder: string, free: (path: string) => Promise<number> = freeOn): FileContents => {
  /** names of files that are being written: they are not in the index yet, and a sweep must not remove them */
  const beingWritten = new Set<string>();
  const fileOf = (content: string): string => join(folder, contentPath(content));
  const remove = (content: string): Promise<void> => rm(fileOf(content), { force: true });

  const write = async (content: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    const place = join(folder, folderOf(content));
    const made = await mapDiskErrors(async () => {
      const isNew = (await mkdir(place, { recursive: true, mode: 0o700 })) !== undefined;
      makePrivate(place);
      if (isNew) await flushFolder(folder);
      return open(fileOf(content), 'wx', 0o600);
    });
    try {
      for await (const chunk of bytes) await mapDiskErrors(() => writeAll(made, chunk));
      await mapDiskErrors(() => made.sync());
    } finally {
      await made.close();
    }
    await mapDiskErrors(() => flushFolder(place));
  };

  return {
    write: async (bytes) => {
      if ((await mapDiskErrors(() => free(folder))) < LEFT_FREE) {
        throw new ArtifactsUnavailable('The disk is nearly full. Files can be stored again when space has been freed.');
      }
      const content = newContent();
      beingWritten.add(content);
      try {
        await write(content, bytes);
        return content;
      } catch (error) {
        await remove(content).catch(() => undefined);
        beingWritten.delete(content);
        throw error;
      }
    },

    done: (content) => {
      beingWritten.delete(content);
    },

    read: async (content, size, range) => {
      const lost = (cause?: unknown): ArtifactLost => new ArtifactLost(fileOf(content), { cause });
      const handle = await open(fileOf(content), 'r').catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT' ? lost(error) : unavailable(error);
      });
      try {
        if ((await handle.stat()).size !== size) throw lost();
        return handle.createReadStream(range ? { start: range.from, end: range.to } : {});
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    remove: (content) => mapDiskErrors(() => remove(content)),

    sweep: (isTold) =>
      mapDiskErrors(async () => {
        let removed = 0;
        for await (const place of await opendir(folder)) {
          if (!place.isDirectory() || !/^[0-9a-f]{2}$/.test(place.name)) continue;
          makePrivate(join(folder, place.name));
          for await (const { name } of await opendir(join(folder, place.name))) {
            if (!CONTENT.test(name) || beingWritten.has(name)) continue;
            if (isTold(name)) makePrivate(fileOf(name));
            else {
              await remove(name);
              removed++;
            }
          }
        }
        return removed;
      }),
  };
};

const freeOn = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
};

const writeAll = async (handle: FileHandle, chunk: Uint8Array): Promise<void> => {
  for (let from = 0; from < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, from, chunk.length - from);
    from += bytesWritten;
  }
};

/** Flushes the entries of a folder to the disk. */
export const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const unavailable = (error: unknown): ArtifactsUnavailable => {
  const { message } = error as Error;
  const reason = codeOf(error) === 'ENOSPC' ? 'the disk is full' : message;
  return new ArtifactsUnavailable(`The artifacts folder can't be used: ${reason}.`, { cause: error });
};

/** Maps file system errors to the errors declared in the port. */
const mapDiskErrors = async <T>(action: () => Promise<T>): Promise<T> => {
  try {
    return await action();
  } catch (error) {
    throw codeOf(error) === undefined ? error : unavailable(error);
  }
};
