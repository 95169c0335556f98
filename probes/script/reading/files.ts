import { randomBytes } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxMessage } from '../protocol.ts';
import type { RecordedFile } from '../record.ts';
import type { Recording } from './recording.ts';
import { InvalidMessage } from './read-message.ts';

/**
 * Limits on the files of a run. They are lower than those of stores/artifacts/limits.ts (20 files, 50 MiB), because the
 * logs of a run may become a file too.
 */
const MOST_FILES = 19;
const MOST_BYTES = 49 * 1_048_576;
/** Maximum number of announced bytes. A run that announces more is not legitimate, and is ended. */
const ABSURD_BYTES = 4 * MOST_BYTES;

type Announced = Extract<SandboxMessage, { type: 'file' }>;

const isTooMuch = (files: readonly RecordedFile[]): boolean =>
  files.length > MOST_FILES || files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES;

/**
 * Writes the files of a run into a folder while they are received, under generated names. If there are too many files,
 * removes the least important ones.
 */
export const createFiles = (
  folder: string | null,
  recording: Pick<Recording, 'files' | 'keep' | 'drop' | 'leaveOut' | 'note'>,
) => {
  let bytes = 0;
  /** the file that is being received; `handle` is null if its content is discarded */
  let coming: { said: Announced; left: number; path: string; handle: FileHandle | null } | null = null;

  const finish = async (): Promise<void> => {
    if (!coming) return;
    const { said, path, handle } = coming;
    coming = null;
    if (!handle) return;
    await handle.close();
    const { test, role, name, contentType, size } = said;
    recording.keep({ test, role, name, contentType, size, path });
    while (isTooMuch(recording.files())) await rm(recording.drop().path, { force: true });
  };

  return {
    /** @throws InvalidMessage if the previous file is incomplete, or the size exceeds the maximum */
    announce: async (said: Announced): Promise<void> => {
      if (coming) throw new InvalidMessage('the start of a file before the end of the previous one');
      bytes += said.size;
      if (bytes > ABSURD_BYTES) throw new InvalidMessage('a file that is larger than allowed');
      if (folder === null) recording.note('There is no place for files here.');
      const path = join(folder ?? '', `${randomBytes(16).toString('hex')}.coming`);
      // A file that exceeds the limit on its own must not displace other files.
      const fits = said.size <= MOST_BYTES;
      if (!fits) recording.leaveOut();
      const handle = fits && folder !== null ? await open(path, 'wx', 0o600) : null;
      coming = { said, left: said.size, path, handle };
      if (said.size === 0) await finish();
    },

    /** @throws InvalidMessage if no file is being received, or the file exceeds its announced size */
    write: async (content: Buffer): Promise<void> => {
      if (!coming) throw new InvalidMessage('bytes of no file');
      coming.left -= content.length;
      if (coming.left < 0) throw new InvalidMessage('more bytes than a file has');
      await coming.handle?.writeFile(content);
      if (coming.left === 0) await finish();
    },

    /** Removes an incomplete file. */
    end: async (): Promise<void> => {
      if (!coming) return;
      const { path, handle } = coming;
      coming = null;
      await handle?.close().catch(() => undefined);
      if (handle) await rm(path, { force: true });
    },
  };
};
