import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HttpError } from '../../http/errors.ts';
import type { OutcomeFile } from '../../probes/engine/check-type.ts';
import type { Staging } from '../../probes/staging.ts';
import { RUN_LIMITS } from '../../stores/artifacts/limits.ts';

/** Files that were uploaded and whose results have not arrived yet. */
export interface StagedFiles {
  /**
   * Stores a file of a delivery.
   *
   * @returns the name under which the file is stored
   * @throws HttpError 413
   */
  take: (session: string, delivery: string, content: IncomingMessage) => Promise<string>;
  /**
   * Returns the files that an outcome names and that were uploaded for its delivery. Removes the other files of the
   * delivery.
   */
  of: (session: string, delivery: string, named: readonly OutcomeFile[]) => Promise<OutcomeFile[]>;
}

/** Maximum number of deliveries with files at the same time, for all runners together. */
const MAX_DELIVERIES = 1_000;
/**
 * Maximum total size of the files of a session, in bytes. If it is exceeded, the files of the oldest deliveries are
 * removed, so that a hostile runner cannot fill the disk.
 */
const SESSION_BYTES = 10 * RUN_LIMITS.runBytes;

interface Taken {
  staged: string;
  size: number;
}

const bytesOf = (files: readonly Taken[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** @param staging opens the staging area; called for the first file */
export const createStagedFiles = (staging: () => Promise<Staging>): StagedFiles => {
  const taken = new Map<string, Taken[]>();
  const keyOf = (session: string, delivery: string): string => `${session}/${delivery}`;

  /**
   * Removes files of a session until their total size is within the limit.
   *
   * @param but key of the delivery whose files must remain
   */
  const makeRoom = async (session: string, but: string): Promise<void> => {
    const own = [...taken].filter(([key]) => key.startsWith(`${session}/`));
    let bytes = own.reduce((sum, [, files]) => sum + bytesOf(files), 0);
    for (const [key, files] of own) {
      if (bytes <= SESSION_BYTES) return;
      if (key === but) continue;
      taken.delete(key);
      bytes -= bytesOf(files);
      await (await staging()).discard(files);
    }
  };

  return {
    take: async (session, delivery, content) => {
      const key = keyOf(session, delivery);
      const files = taken.get(key) ?? [];
      if (files.length >= RUN_LIMITS.runFiles) throw new HttpError(413, 'A run may have at most 20 files.');
      const [oldest] = taken.keys();
      // The files of the forgotten delivery are removed later, because of their age.
      if (!taken.has(key) && taken.size >= MAX_DELIVERIES && oldest !== undefined) taken.delete(oldest);
      taken.set(key, files);
      const staged = randomBytes(16).toString('hex');
      const place = { staged, size: 0 };
      files.push(place);
      const path = join((await staging()).folder, staged);
      const counted = new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          place.size += chunk.length;
          // Several files may be uploaded at the same time, so the total of all files is checked.
          if (bytesOf(files) > RUN_LIMITS.runBytes) done(new HttpError(413, 'The files of a run are too large.'));
          else done(null, chunk);
        },
      });
      try {
        await pipeline(content, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      } catch (error) {
        files.splice(files.indexOf(place), 1);
        await rm(path, { force: true });
        throw error;
      }
      await makeRoom(session, key);
      return staged;
    },
    of: async (session, delivery, named) => {
      const key = keyOf(session, delivery);
      const files = taken.get(key) ?? [];
      taken.delete(key);
      const kept = named.flatMap((file) => {
        const found = files.find(({ staged }) => staged === file.staged);
        return found ? [{ ...file, size: found.size }] : [];
      });
      const left = files.filter(({ staged }) => !kept.some((file) => file.staged === staged));
      if (left.length > 0) await (await staging()).discard(left);
      return kept;
    },
  };
};
