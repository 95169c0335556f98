import { createHash, type Hash } from 'node:crypto';
import { createWriteStream, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { definitionOf } from '../../domain/event-types.ts';
import { instantOf } from '../../domain/time.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { readToEnd } from '../../projections/engine/feed/log-end.ts';
import { readLogId } from '../../projections/engine/feed/log-marks.ts';
import { flushFolder } from '../../service/embedded/flush.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { version } from '../../service/version.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { formatOf, type FileFormat } from './file-format.ts';
import { createContentCount, manifestPath, type ContentCount, type Manifest } from './manifest.ts';
import { joinedLine, lineParts, replayedEvents, type ReplayFilters } from './replay.ts';
import type { EventRow } from './parquet.ts';

export interface IntoOptions extends ReplayFilters {
  /** path of the new file; its ending selects the format */
  file: string;
  /** milliseconds since 1970 */
  clock: () => number;
  signal: AbortSignal;
}

/** Size of the chunks in which lines are written to the file, in bytes. */
const CHUNK = 65_536;

/**
 * Writes the selected events of a log to a new file, and a manifest beside it. Both have temporary names until they are
 * complete and on disk. The manifest is renamed first, so a file that has its final name is complete and has a
 * manifest.
 *
 * @throws OperatorError the file exists or cannot be written, the command was interrupted, or a requested type is
 * unknown; no file remains
 */
export const replayInto = async (log: EventStore, options: IntoOptions): Promise<Manifest> => {
  const { file, clock, signal, ...filters } = options;
  const format = formatOf(file);
  refuseUnusable(file);
  const temporary = { file: `${file}.${process.pid}.new`, manifest: `${manifestPath(file)}.${process.pid}.new` };
  const id = await readLogId(log);
  // A process with the same id may have been killed while it wrote these files.
  removeAll(Object.values(temporary));
  try {
    const count = createContentCount();
    const digest = createHash('sha256');
    const events = replayedEvents(log, { ...filters, follow: false, signal });
    await writeFile(temporary.file, encoded(countedRows(events, count), format), { format, digest, signal });
    const contents = count.contents();
    await refuseUnknownTypes(log, filters.types, contents.by_type, signal);
    const manifest: Manifest = {
      uptrail: 'replay',
      format: 1,
      made_at: instantOf(clock()),
      release: version(),
      log: { name: log.name as Manifest['log']['name'], id },
      filters: {
        from: filters.from.toString(),
        types: [...filters.types],
        stream: filters.stream ?? null,
        raw: filters.raw,
      },
      file: { name: basename(file), bytes: statSync(temporary.file).size, sha256: digest.digest('hex') },
      ...contents,
    };
    writeFileSync(temporary.manifest, `${JSON.stringify(manifest, null, 2)}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    signal.throwIfAborted();
    refuseUnusable(file);
    await rename(temporary.manifest, manifestPath(file));
    await rename(temporary.file, file);
    flushFolder(dirname(file));
    return manifest;
  } catch (error) {
    if (signal.aborted) throw new OperatorError('Interrupted. No file was written.', { cause: error });
    throw isOfFileSystem(error)
      ? new OperatorError(`${file} could not be written: ${error.message}.`, { cause: error })
      : error;
  } finally {
    removeAll(Object.values(temporary));
  }
};

/**
 * Refuses misspelled types, for which the file would just lack events. Types of an older or newer release are in the log.
 *
 * @param found number of written events by type
 * @throws OperatorError a requested type is neither known to this release nor in the log
 */
const refuseUnknownTypes = async (
  log: EventStore,
  types: readonly string[],
  found: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<void> => {
  const unknown = new Set(types.filter((type) => found[type] === undefined && !definitionOf(type)));
  if (unknown.size === 0) return;
  for await (const events of readToEnd(log, 0n)) {
    signal.throwIfAborted();
    for (const { type } of events) unknown.delete(type);
    if (unknown.size === 0) return;
  }
  const [first] = unknown;
  if (first !== undefined) throw new OperatorError(`The event type "${first}" does not exist. No file was written.`);
};

const removeAll = (paths: readonly string[]): void => {
  for (const path of paths) rmSync(path, { force: true });
};

/** @throws OperatorError the file exists, or its folder does not */
const refuseUnusable = (file: string): void => {
  if (existsSync(file)) throw new OperatorError(`${file} exists already. Remove it, or name another file.`);
  if (!existsSync(dirname(file))) throw new OperatorError(`The folder ${dirname(file)} does not exist.`);
};

const isOfFileSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number' && 'syscall' in error;

/** An event that has been counted, and its line. */
interface CountedRow {
  row: EventRow;
  line: Buffer;
}

async function* countedRows(
  events: AsyncIterable<RecordedEvent>,
  count: ContentCount,
): AsyncGenerator<CountedRow, void, undefined> {
  for await (const event of events) {
    const parts = lineParts(event);
    const line = Buffer.from(joinedLine(parts));
    const { actor, organization_id, recorded_at } = event.metadata;
    count.add({ position: event.position, stream: event.stream, type: event.type, recordedAt: recorded_at }, line);
    yield { row: { ...parts, recorded_at, organization_id, actor_kind: actor.kind, actor_id: actor.id }, line };
  }
}

async function* encoded(rows: AsyncIterable<CountedRow>, format: FileFormat): AsyncGenerator<Buffer, void, undefined> {
  if (format === 'parquet') {
    const { parquetOf } = await import('./parquet.ts');
    yield* parquetOf(onlyRows(rows));
    return;
  }
  let lines: Buffer[] = [];
  let bytes = 0;
  for await (const { line } of rows) {
    lines.push(line, LINE_FEED);
    bytes += line.length + 1;
    if (bytes < CHUNK) continue;
    yield Buffer.concat(lines, bytes);
    lines = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(lines, bytes);
}

const LINE_FEED = Buffer.from('\n');

async function* onlyRows(rows: AsyncIterable<CountedRow>): AsyncGenerator<EventRow, void, undefined> {
  for await (const { row } of rows) yield row;
}

/** Writes chunks to a new file and flushes it to disk. @param digest gets the bytes of the file */
const writeFile = (
  path: string,
  chunks: AsyncIterable<Buffer>,
  { format, digest, signal }: { format: FileFormat; digest: Hash; signal: AbortSignal },
): Promise<void> => {
  const hashing = new Transform({
    transform: (chunk: Buffer, _, done) => {
      digest.update(chunk);
      done(null, chunk);
    },
  });
  const source = Readable.from(chunks, { objectMode: false, highWaterMark: CHUNK });
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  return format === 'jsonl.gz'
    ? pipeline(source, createGzip(), hashing, target, { signal })
    : pipeline(source, hashing, target, { signal });
};
