import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makePrivate } from '../../file-modes.ts';
import { ArtifactLost, ArtifactsUnavailable, type ByteRange } from '../port.ts';

/**
 * Free space that is always reserved on the disk for the event logs: four times the reserve of the data folder. It is
 * small enough that a service which stores little can still create reports on a 60 MB disk.
 */
const LEFT_FREE = 32 * 1_048_576;

/** A content file has a random name and lies in one of 256 folders. */
const CONTENT = /^[0-9a-f]{32}$/;
const newContent = (): string => randomBytes(16).toString('hex');
const folderOf = (content: string): string => content.slice(0, 2);

/**
 * Whether a name in an index could have been created here. An index from elsewhere may name files outside the folder.
 */
export const isContentName = (content: unknown): content is string =>
  typeof content === 'string' && CONTENT.test(content);

/** @throws ArtifactLost the name was not created here */
export const contentPath = (content: string): string => {
  if (!isContentName(content)) throw new ArtifactLost('A file of the index of artifacts without a valid name');
  return join(folderOf(content), content);
};

/** Content files in a folder that only its owner may read. */
export interface FileContents {
  /**
   * Writes content, which is durable when this resolves.
   *
   * @throws ArtifactsUnavailable
   */
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<string>;
  /** Reports that a written file is now either in the index or discarded. */
  done: (content: string) => void;
  read: (content: string, size: number, range?: ByteRange) => Promise<Readable>;
  remove: (content: string) => Promise<void>;
  /**
   * Removes files that are neither in the index nor being written, and makes the others private. @returns how many
   * files
   */
  sweep: (isTold: (content: string) => boolean) => Promise<number>;
}

/** @param free returns the free bytes of a disk; replaced in tests */
export const openFileContents = (folder: string, free: (path: string) => Promise<number> = freeOn): FileContents => {
  /** files being written: not in the index yet, but no orphans */
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

/** Maps errors of the file system to those of the port. */
const mapDiskErrors = async <T>(action: () => Promise<T>): Promise<T> => {
  try {
    return await action();
  } catch (error) {
    throw codeOf(error) === undefined ? error : unavailable(error);
  }
};
