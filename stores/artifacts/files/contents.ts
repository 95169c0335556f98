import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makePrivate } from '../../private.ts';
import { ArtifactLost, ArtifactsUnavailable, type ByteRange } from '../port.ts';

/**
 * Bytes that are always left free on a disk, for the logs, which need the room more: four times the reserve of the data
 * folder. A service that stores little runs on a disk of 60 MB, and makes its reports there.
 */
const LEFT_FREE = 32 * 1_048_576;

/** Content is a file with a random name, in one of 256 folders. */
const CONTENT = /^[0-9a-f]{32}$/;
const newContent = (): string => randomBytes(16).toString('hex');
const folderOf = (content: string): string => content.slice(0, 2);

/** Whether a name in an index is one that was given here. An index from elsewhere may name files outside of the folder. */
export const isContent = (content: unknown): content is string => typeof content === 'string' && CONTENT.test(content);

/** @throws ArtifactLost the name was not given here */
export const pathOf = (content: string): string => {
  if (!isContent(content)) throw new ArtifactLost('A file of the index of artifacts without a valid name');
  return join(folderOf(content), content);
};

/** Content files in a folder that only their owner may read. */
export interface Contents {
  /**
   * Writes content; it is on the disk when this returns.
   *
   * @throws ArtifactsUnavailable
   */
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<string>;
  /** What was written is now either in the index or discarded. */
  done: (content: string) => void;
  read: (content: string, size: number, range?: ByteRange) => Promise<Readable>;
  remove: (content: string) => Promise<void>;
  /** Removes files neither in the index nor being written; makes the rest private. @returns how many files */
  sweep: (isTold: (content: string) => boolean) => Promise<number>;
}

/** @param free reports the free bytes of a disk; replaced in tests */
export const contentsIn = (folder: string, free: (path: string) => Promise<number> = freeOn): Contents => {
  /** files being written: they are not in the index yet, but are no orphans */
  const underWay = new Set<string>();
  const fileOf = (content: string): string => join(folder, pathOf(content));
  const remove = (content: string): Promise<void> => rm(fileOf(content), { force: true });

  const write = async (content: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    const place = join(folder, folderOf(content));
    const made = await onDisk(async () => {
      const isNew = (await mkdir(place, { recursive: true, mode: 0o700 })) !== undefined;
      makePrivate(place);
      if (isNew) await flushed(folder);
      return open(fileOf(content), 'wx', 0o600);
    });
    try {
      for await (const chunk of bytes) await onDisk(() => writeAll(made, chunk));
      await onDisk(() => made.sync());
    } finally {
      await made.close();
    }
    await onDisk(() => flushed(place));
  };

  return {
    write: async (bytes) => {
      if ((await onDisk(() => free(folder))) < LEFT_FREE) {
        throw new ArtifactsUnavailable('The disk is nearly full: no files are stored until there is space again.');
      }
      const content = newContent();
      underWay.add(content);
      try {
        await write(content, bytes);
        return content;
      } catch (error) {
        await remove(content).catch(() => undefined);
        underWay.delete(content);
        throw error;
      }
    },

    done: (content) => {
      underWay.delete(content);
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

    remove: (content) => onDisk(() => remove(content)),

    sweep: (isTold) =>
      onDisk(async () => {
        let removed = 0;
        for await (const place of await opendir(folder)) {
          if (!place.isDirectory() || !/^[0-9a-f]{2}$/.test(place.name)) continue;
          makePrivate(join(folder, place.name));
          for await (const { name } of await opendir(join(folder, place.name))) {
            if (!CONTENT.test(name) || underWay.has(name)) continue;
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

/** Makes sure that the names in a folder are on the disk. */
export const flushed = async (folder: string): Promise<void> => {
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

/** Turns errors of the file system into those of the port. */
const onDisk = async <T>(action: () => Promise<T>): Promise<T> => {
  try {
    return await action();
  } catch (error) {
    throw codeOf(error) === undefined ? error : unavailable(error);
  }
};
