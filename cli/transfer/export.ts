import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { makePrivate } from '../../stores/file-modes.ts';
import { readLogId, markLog } from '../../projections/engine/feed/log-marks.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { createRecentIds, type RecentIds } from '../../domain/recent-ids.ts';
import { jsonLine } from '../replay/replay.ts';
import {
  endLine,
  FORMAT,
  headLine,
  positionOf,
  readEnd,
  readEvent,
  readHead,
  unusableFile,
  type ExportHead,
} from './format.ts';
import { linesOf } from './lines.ts';
import type { TransferProgress } from './progress.ts';

export interface ExportOptions {
  /** the log with its events as they are stored, without upcasting */
  log: EventStore;
  /** id of the log `main` of the same service */
  service: string;
  file: string;
  /** milliseconds since 1970 */
  clock: () => number;
  signal: AbortSignal;
  onProgress: (progress: TransferProgress) => void;
}

export interface ExportSummary {
  /** total number of events in the file */
  events: number;
  /** number of events that this call added */
  added: number;
  /** number of repeated events in the log that this call left out */
  repeats: number;
}

/** The content of a file that has been written in part. */
interface Written {
  hash: Hash;
  events: number;
  /** size of the file in bytes */
  size: number;
  last: { position: bigint; id: string } | null;
  /** newest ids in the file, for the results log; null for the main log, which repeats no ids */
  recent: RecentIds | null;
}

const PAGE = 1_000;

/**
 * Exports the current content of a log to a file. The export first appends a marker event to the log, and this event is
 * the last one in the file. An existing file is continued, if its export was interrupted or if the log has newer
 * events. In the results log, an event that repeats one of the previous 100,000 is left out.
 *
 * @throws OperatorError the file belongs to another log or is damaged; the export was interrupted
 */
export const exportLog = async (options: ExportOptions): Promise<ExportSummary> => {
  const { log, service, file, clock, signal, onProgress } = options;
  const head: ExportHead = {
    uptrail: 'log',
    format: FORMAT,
    log: log.name as ExportHead['log'],
    log_id: await readLogId(log),
    service,
  };
  const written = await takeUp(file, head, signal);
  await refuseForeign(file, log, written);
  const end = await markLog(log, clock());

  const handle = await open(file, 'r+');
  try {
    await handle.truncate(written.size);
    const before = written.events;
    let repeats = 0;
    for (let after = written.last?.position ?? 0n; after < end;) {
      if (signal.aborted) throw new OperatorError('Interrupted. Run the same command again to continue.');
      const page = await log.readAll({ after, limit: PAGE });
      const last = page.at(-1);
      if (!last) break;
      after = last.position;
      const upTo = page.filter(({ position }) => position <= end);
      const fresh = upTo.filter(({ id }) => written.recent?.add(id) ?? true);
      repeats += upTo.length - fresh.length;
      await write(handle, written, fresh.map(jsonLine));
      onProgress({ log: head.log, done: after < end ? after : end, total: end, events: written.events });
    }
    await put(handle, written, `${endLine({ events: written.events, sha256: written.hash.digest('hex') })}\n`);
    await handle.sync();
    return { events: written.events, added: written.events - before, repeats };
  } finally {
    await handle.close();
  }
};

/** Reads the existing file. If there is none, creates a file that contains only the head. */
const takeUp = async (file: string, head: ExportHead, signal: AbortSignal): Promise<Written> => {
  const recent = head.log === 'results' ? createRecentIds() : null;
  const written: Written = { hash: createHash('sha256'), events: 0, size: 0, last: null, recent };
  // The flag 'a' creates the file if it does not exist.
  await (await open(file, 'a', 0o600)).close();
  makePrivate(file);
  let complete = false;
  for await (const lines of linesOf(file)) {
    signal.throwIfAborted();
    for (const { bytes, end } of lines) {
      if (complete) throw unusableFile(file, 'contains data after its end. Remove it, or name another folder.');
      if (written.size === 0) {
        const found = readHead(file, bytes);
        if (headLine(found) !== headLine(head)) {
          throw unusableFile(
            file,
            `contains a different log, from another service or data directory. Name a new folder.`,
          );
        }
      } else {
        const last = readEnd(bytes);
        if (last) {
          if (last.events !== written.events || last.sha256 !== written.hash.copy().digest('hex')) throw damaged(file);
          complete = true;
          continue;
        }
        written.last = eventOf(file, bytes, written.last?.position ?? 0n);
        recent?.add(written.last.id);
        written.events++;
      }
      written.hash.update(bytes).update('\n');
      written.size = end;
    }
  }
  if (written.size === 0) {
    const handle = await open(file, 'r+');
    try {
      await handle.truncate(0);
      await write(handle, written, [headLine(head)]);
      written.events = 0;
    } finally {
      await handle.close();
    }
  }
  return written;
};

const damaged = (file: string): OperatorError =>
  unusableFile(file, 'is damaged. Remove it to start the export over, or name another folder.');

const eventOf = (file: string, bytes: Buffer, after: bigint): { position: bigint; id: string } => {
  const position = positionOf(bytes);
  const event = readEvent(bytes);
  if (position === null || !event || position <= after) throw damaged(file);
  return { position, id: event.id };
};

/** Verifies that the last exported event is still in the log, unless retention has removed it. @throws OperatorError */
const refuseForeign = async (file: string, log: EventStore, { last }: Written): Promise<void> => {
  if (!last) return;
  const [found] = await log.readAll({ after: last.position, inclusive: true, limit: 1 });
  if (found?.id === last.id) return;
  if (found && found.position > last.position && log.name === 'results') return;
  throw unusableFile(
    file,
    'belongs to a different store of this log, or the store was restored to an older copy since. Name a new folder.',
  );
};

const write = async (handle: FileHandle, written: Written, lines: readonly string[]): Promise<void> => {
  if (lines.length === 0) return;
  const text = `${lines.join('\n')}\n`;
  written.hash.update(text);
  await put(handle, written, text);
  written.events += lines.length;
};

const put = async (handle: FileHandle, written: Written, text: string): Promise<void> => {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, written.size);
    offset += bytesWritten;
    written.size += bytesWritten;
  }
};
