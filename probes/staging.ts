import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../network/clock.ts';
import type { OutcomeFile } from './engine/check-type.ts';

/*
 * Staging of files that runs create. The process that runs a check moves these files into one folder, and lists them in
 * the outcome. The worker then stores the files.
 */

/** Matches the generated names of staged files. Files with other names are never read. */
const NAME = /^[0-9a-f]{32}$/;
const newName = (): string => randomBytes(16).toString('hex');

/** Moves a file into the staging folder. @returns the name of the file in the staging folder */
export const stage = async (folder: string, path: string): Promise<string> => {
  const name = newName();
  await rename(path, join(folder, name)).catch(async (error: unknown) => {
    // `rename` fails with EXDEV if the folder is on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(path, join(folder, name), constants.COPYFILE_EXCL);
    await rm(path, { force: true });
  });
  return name;
};

/** Writes a text into a file in the staging folder. @returns the name of the file */
export const stageText = async (folder: string, text: string): Promise<string> => {
  const name = newName();
  await writeFile(join(folder, name), text, { flag: 'wx', mode: 0o600 });
  return name;
};

/** The staging folder, for the process that stores the files. */
export interface Staging {
  readonly folder: string;
  /** Reads a staged file. Throws if the file is missing, or larger than announced in the outcome. */
  read: (file: Pick<OutcomeFile, 'staged' | 'size'>) => AsyncIterable<Uint8Array>;
  /**
   * Removes staged files. Never rejects. Files that can't be removed now are removed when they exceed the maximum age.
   */
  discard: (files: readonly Pick<OutcomeFile, 'staged'>[]) => Promise<void>;
  /** Removes the staging folder. */
  close: () => Promise<void>;
}

/**
 * Maximum age of a staged file, in milliseconds; older files are removed. No run takes this long, so the process that
 * staged an older file must have died.
 */
const FORGOTTEN_MS = 15 * 60_000;
const LOOK_MS = 60_000;

const FOLDER = /^uptrail-files-(\d+)-/;
/**
 * The folders that this process created. The process id in the name of a folder does not prove that this process
 * created the folder, because a dead process may have had the same id.
 */
const ours = new Set<string>();

/**
 * Creates a staging folder that only this user can read, and removes the folders of dead processes.
 *
 * @param parent parent folder; default: the system's folder for temporary files
 */
export const openStaging = async (clock: Pick<Clock, 'now' | 'after'>, parent = tmpdir()): Promise<Staging> => {
  await removeAbandoned(parent);
  const folder = await mkdtemp(join(parent, `uptrail-files-${process.pid}-`));
  ours.add(folder);
  let cancel = (): void => undefined;
  let closed = false;

  const discard = async (files: readonly Pick<OutcomeFile, 'staged'>[]): Promise<void> => {
    for (const { staged } of files)
      if (NAME.test(staged)) await rm(join(folder, staged), { force: true }).catch(() => undefined);
  };

  const look = async (): Promise<void> => {
    for (const staged of await readdir(folder).catch(() => [])) {
      const changed = await stat(join(folder, staged)).catch(() => null);
      if (changed && clock.now() - changed.mtimeMs > FORGOTTEN_MS) await discard([{ staged }]);
    }
  };

  const lookLater = (): void => {
    cancel = clock.after(LOOK_MS, () => {
      void look().then(() => {
        if (!closed) lookLater();
      });
    });
  };
  lookLater();

  return {
    folder,
    read: (file) => contentOf(folder, file),
    discard,
    close: async () => {
      closed = true;
      cancel();
      ours.delete(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const CHUNK = 262_144;

/** Reads a staged file. Validates the file name first, because a compromised probe process could name any file. */
async function* contentOf(
  folder: string,
  { staged, size }: Pick<OutcomeFile, 'staged' | 'size'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!NAME.test(staged)) throw new Error('There is no such staged file.');
  const handle = await open(join(folder, staged), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > size) throw new Error('A staged file is not of the announced size.');
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const removeAbandoned = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const [, pid] = FOLDER.exec(name) ?? [];
    if (pid === undefined || ours.has(folder) || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue;
    // Ignores errors, because folders of other users can't be removed.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};
