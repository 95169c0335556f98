import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import type { Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { unusableFile } from './format.ts';
import type { VerifiedFile } from './verify.ts';

/** The progress of an import of results, as stored in a file. */
export interface ImportProgress {
  /** offset in the file; all events before it are stored */
  bytes: number;
  /** number of events in the file before `bytes`; `kept`: number of these events that were imported */
  events: number;
  kept: number;
  /** number of events that were left out as repeated; absent if an older release began the import */
  repeats?: number;
  /** results that were recorded before this time are left out; determined at the beginning of the import */
  from: Instant;
  /** for each stream of the most recent append: the newest event of the stream in the target log */
  last: { stream: string; revision: string; id: string }[];
}

/**
 * Number of bytes before the offset that are compared, to find out whether the file has changed since the import began.
 */
const TAIL_BYTES = 200;

const placeFileOf = ({ file }: VerifiedFile): string => `${file}.imported`;

/**
 * Returns the progress of an interrupted import. Returns null if no import into this log was interrupted. Also returns
 * null if the log lacks the events in `last`, because then the progress belongs to another import.
 *
 * @throws OperatorError the export was written again after the import began
 */
export const readProgress = async (file: VerifiedFile, log: EventStore): Promise<ImportProgress | null> => {
  const path = placeFileOf(file);
  if (!existsSync(path)) return null;
  const { tail, ...place } = JSON.parse(await readFile(path, 'utf8')) as ImportProgress & { tail: string };
  if (place.last.length === 0) return null;
  for (const { stream, revision, id } of place.last) {
    const [found] = await log.readStream(stream, { from: BigInt(revision), limit: 1 });
    // Retention may have removed the event since the import was interrupted. Then the stream still has an event with a
    // later revision.
    if (found?.id !== id && !(found && found.revision > BigInt(revision))) return null;
  }
  if (place.bytes <= file.to && (await tailOf(file, place.bytes)) === tail) return place;
  throw unusableFile(
    file.file,
    `is not the file whose import was started. Import that file; or remove ${path} to import this one from its beginning, which stores a second time what was already imported.`,
  );
};

const tailOf = async ({ file }: VerifiedFile, bytes: number): Promise<string> => {
  const handle = await open(file, 'r');
  try {
    const length = Math.min(bytes, TAIL_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, bytes - length);
    return buffer.toString('base64');
  } finally {
    await handle.close();
  }
};

/** Writes the progress to disk atomically. */
export const writeProgress = async (file: VerifiedFile, place: ImportProgress): Promise<void> => {
  const path = placeFileOf(file);
  const handle = await open(`${path}.new`, 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ ...place, tail: await tailOf(file, place.bytes) })}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
};
