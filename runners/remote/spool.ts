import { constants } from 'node:fs';
import { open, readFile, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../network/clock.ts';

/** Some of the oldest lines in a spool. */
export interface SpooledLines {
  lines: string[];
  /** Removes these lines from the spool. */
  remove: () => Promise<void>;
}

/**
 * Lines on disk, in the order in which they were appended. They stay there until they are removed, even after a crash.
 * After a crash, lines that were already removed may be read again. The functions never reject: errors are passed to
 * `trouble`.
 */
export interface Spool {
  /** Appends lines. @param lines without line breaks */
  append: (lines: readonly string[]) => Promise<void>;
  /** Returns the oldest lines, up to the limits, but at least one. Returns null if the spool is empty. */
  read: (limits: { lines: number; bytes: number }) => Promise<SpooledLines | null>;
  /** Resolves when all lines are on disk. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
  /** returns the total size of all lines */
  bytes: () => number;
}

export interface SpoolOptions {
  /** an existing folder to which no other process writes */
  folder: string;
  /** maximum total size in bytes; if it is exceeded, the oldest lines are removed */
  limit: number;
  clock: Pick<Clock, 'after'>;
  /**
   * Called after the oldest lines were removed because the limit was exceeded.
   *
   * @param bytes total size of the removed lines
   */
  dropped: (bytes: number) => void;
  trouble: (error: unknown) => void;
}

/** Interval between two flushes to disk, in milliseconds. */
const SYNC_MS = 200;
/** Number of segments in a full spool. To make room, the oldest segment is removed as a whole. */
const SEGMENTS = 16;
const LEAST_SEGMENT = 65_536;

const SEGMENT = /^(\d{12})\.jsonl$/;

/** A file of lines in the spool. */
interface Segment {
  number: number;
  bytes: number;
}

export const openSpool = async (options: SpoolOptions): Promise<Spool> => {
  const { folder, limit, clock, dropped, trouble } = options;
  const most = Math.max(LEAST_SEGMENT, Math.floor(limit / SEGMENTS));
  const segments = await segmentsIn(folder);
  let last = segments.at(-1)?.number ?? 0;
  /** the newest segment, to which lines are appended; null if it is not open */
  let writing: { handle: FileHandle; segment: Segment } | null = null;
  /** the first segment with its lines that have not been removed; null if it has not been read */
  let reading: { segment: Segment; lines: string[] } | null = null;
  let cancelSync: (() => void) | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  const pathOf = ({ number }: Segment): string => join(folder, `${number.toString().padStart(12, '0')}.jsonl`);

  /** Runs an operation after all previous ones. */
  const serialized = <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    const done = queue.then(work).catch((error: unknown) => {
      trouble(error);
      return otherwise;
    });
    queue = done;
    return done;
  };

  const sync = async (): Promise<void> => {
    cancelSync?.();
    cancelSync = null;
    await writing?.handle.datasync();
  };

  const syncSoon = (): void => {
    cancelSync ??= clock.after(SYNC_MS, () => void serialized(sync, undefined));
  };

  /** Closes the segment to which lines are appended. */
  const seal = async (): Promise<void> => {
    if (!writing) return;
    const { handle } = writing;
    await sync().finally(() => {
      writing = null;
      return handle.close();
    });
  };

  const segmentToWrite = async (): Promise<{ handle: FileHandle; segment: Segment }> => {
    if (writing && writing.segment.bytes >= most) await seal();
    if (writing) return writing;
    const segment = { number: last + 1, bytes: 0 };
    const handle = await open(pathOf(segment), 'ax', 0o600);
    last = segment.number;
    segments.push(segment);
    writing = { handle, segment };
    return writing;
  };

  const removeFirst = async (): Promise<void> => {
    const [first] = segments;
    if (!first) return;
    if (writing?.segment === first) await seal();
    if (reading?.segment === first) reading = null;
    segments.shift();
    await unlink(pathOf(first));
  };

  const total = (): number => segments.reduce((sum, { bytes }) => sum + bytes, 0);

  const makeRoom = async (): Promise<void> => {
    let gone = 0;
    while (total() > limit && segments.length > 1) {
      gone += segments[0]?.bytes ?? 0;
      await removeFirst();
    }
    if (gone > 0) dropped(gone);
  };

  const append = async (lines: readonly string[]): Promise<void> => {
    for (const part of partsOf(lines, most)) {
      const { handle, segment } = await segmentToWrite();
      const bytes = Buffer.from(part);
      try {
        await handle.appendFile(bytes);
      } catch (error) {
        // The file may now end with an incomplete line. So it is closed, and nothing is appended to it later.
        await seal().catch(() => undefined);
        throw error;
      }
      segment.bytes += bytes.length;
      syncSoon();
      await makeRoom();
    }
  };

  const unreadable = (error: unknown): string => {
    trouble(error);
    return '';
  };

  const beginReading = async (): Promise<{ segment: Segment; lines: string[] } | null> => {
    for (let first = segments[0]; first; first = segments[0]) {
      if (reading) return reading;
      if (writing?.segment === first) await seal();
      // If a file is larger than any file that this program writes, another program has written it. Do not read it.
      const text = first.bytes > 2 * limit ? '' : await readSegment(pathOf(first)).catch(unreadable);
      const lines = text.split('\n').filter((line) => line !== '');
      if (lines.length > 0) reading = { segment: first, lines };
      else await removeFirst();
    }
    return null;
  };

  const read = async (limits: { lines: number; bytes: number }): Promise<SpooledLines | null> => {
    const from = await beginReading();
    if (!from) return null;
    let bytes = 0;
    let count = 0;
    for (const line of from.lines) {
      bytes += Buffer.byteLength(line);
      if (count > 0 && (count >= limits.lines || bytes > limits.bytes)) break;
      count += 1;
    }
    const remove = async (): Promise<void> => {
      // The segment may have been removed meanwhile.
      if (reading !== from) return;
      from.lines.splice(0, count);
      if (from.lines.length === 0) await removeFirst();
    };
    return { lines: from.lines.slice(0, count), remove: () => serialized(remove, undefined) };
  };

  return {
    append: (lines) => serialized(() => append(lines), undefined),
    read: (limits) => serialized(() => read(limits), null),
    flush: () => serialized(sync, undefined),
    close: () => serialized(seal, undefined),
    bytes: total,
  };
};

/** Joins lines, each with a line feed, into texts of about `most` characters. */
const partsOf = (lines: readonly string[], most: number): string[] => {
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const line of lines) {
    part.push(`${line}\n`);
    size += line.length;
    if (size < most) continue;
    parts.push(part.join(''));
    part = [];
    size = 0;
  }
  return part.length === 0 ? parts : [...parts, part.join('')];
};

const readSegment = async (path: string): Promise<string> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await readFile(handle, 'utf8');
  } finally {
    await handle.close();
  }
};

/** Returns the segments of earlier processes, oldest first. */
const segmentsIn = async (folder: string): Promise<Segment[]> => {
  const found: Segment[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const [, number] = SEGMENT.exec(name) ?? [];
    if (number === undefined) continue;
    const { size } = await stat(join(folder, name));
    found.push({ number: Number(number), bytes: size });
  }
  return found;
};
