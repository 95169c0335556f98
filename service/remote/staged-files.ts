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

/** Files that runners have uploaded and whose results have not come yet. */
export interface StagedFiles {
  /** Takes a file of a delivery. @returns its name @throws HttpError 413, 429 */
  take: (session: string, delivery: string, content: IncomingMessage) => Promise<string>;
  /** Those that an outcome names and that were uploaded for its delivery; the others of the delivery are removed. */
  of: (session: string, delivery: string, named: readonly OutcomeFile[]) => Promise<OutcomeFile[]>;
}

/** Deliveries that have files at once, of all runners: a hostile one fills no disk. */
const MOST_DELIVERIES = 1_000;

interface Taken {
  staged: string;
  size: number;
}

/** @param staging opened when the first file comes */
export const createStagedFiles = (staging: () => Promise<Staging>): StagedFiles => {
  const taken = new Map<string, Taken[]>();
  const keyOf = (session: string, delivery: string): string => `${session}/${delivery}`;

  return {
    take: async (session, delivery, content) => {
      const key = keyOf(session, delivery);
      const files = taken.get(key) ?? [];
      if (files.length >= RUN_LIMITS.runFiles) throw new HttpError(413, 'A run leaves at most 20 files.');
      const [oldest] = taken.keys();
      // Those of a runner that was lost are found by age.
      if (taken.size >= MOST_DELIVERIES && oldest !== undefined) taken.delete(oldest);
      taken.set(key, files);
      const room = RUN_LIMITS.runBytes - files.reduce((sum, { size }) => sum + size, 0);
      const staged = randomBytes(16).toString('hex');
      const place = { staged, size: 0 };
      files.push(place);
      const path = join((await staging()).folder, staged);
      const counted = new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          place.size += chunk.length;
          if (place.size > room) done(new HttpError(413, 'The files of a run are too large.'));
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
