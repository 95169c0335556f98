import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { positionOf, readEvent } from '../transfer/format.ts';
import { formatOf, type FileFormat } from './file-format.ts';
import { createFilterClaims } from './filter-claims.ts';
import { createContentCount, readManifest, type Contents, type Manifest } from './manifest.ts';
import { splitLines } from './split-lines.ts';

export interface VerifyOptions {
  file: string;
  /** whether to print one JSON object */
  json: boolean;
  signal: AbortSignal;
}

/** The part of a file that differs from the manifest. */
interface Difference {
  /** name of the field of the manifest */
  field: string;
  sentence: string;
}

/**
 * `uptrail replay verify`: compares a file of replayed events with its manifest. The command reads the whole file and
 * counts the events again. It needs no log.
 *
 * @returns whether the file matches the manifest
 * @throws OperatorError there is no such file, or no usable manifest
 */
export const verifyReplayFile = async ({ file, json, signal }: VerifyOptions, output: Output): Promise<boolean> => {
  const format = formatOf(file);
  if (!existsSync(file)) throw new OperatorError(`${file} does not exist.`);
  const manifest = readManifest(file);
  try {
    const differences = await differencesOf(file, format, manifest, signal);
    const valid = differences.length === 0;
    if (json) await output.line(JSON.stringify({ valid, differences, manifest }));
    else if (valid) await output.line(sentenceOf(manifest));
    else for (const { sentence } of differences) await output.line(sentence);
    return valid;
  } catch (error) {
    if (signal.aborted) throw new OperatorError('Interrupted.', { cause: error });
    throw error;
  }
};

const differencesOf = async (
  file: string,
  format: FileFormat,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<Difference[]> => {
  const found = await fileOf(file, signal);
  const differences = compare({ 'file.bytes': manifest.file.bytes, 'file.sha256': manifest.file.sha256 }, found);
  // Do not parse a damaged Parquet file: its errors would explain nothing, and parsing can allocate much memory.
  if (format === 'parquet' && differences.length > 0) return differences;
  try {
    const { contents, contradictions } = await contentsOf(file, format, manifest, signal);
    differences.push(...compare(flat(manifest), flat(contents)), ...contradictions);
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    differences.push({ field: 'content', sentence: `The events of the file cannot be read: ${reason}.` });
  }
  return differences;
};

const fileOf = async (file: string, signal: AbortSignal) => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { 'file.bytes': bytes, 'file.sha256': hash.digest('hex') };
};

/** Counts the events of a file, and compares them with the filters of the manifest. @throws Error the file is damaged, or contains more than its manifest says */
const contentsOf = async (
  file: string,
  format: FileFormat,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<{ contents: Contents; contradictions: Difference[] }> => {
  const { content } = manifest;
  const count = createContentCount();
  const claims = createFilterClaims(manifest);
  let bytes = 0;
  for await (const line of linesOf(file, format, signal)) {
    signal.throwIfAborted();
    const event = readEvent(line);
    const position = positionOf(line);
    if (!event || position === null) throw new Error('it contains a line that is not an event');
    bytes += line.length + 1;
    // The limit bounds the work on a small file that decompresses to a huge one.
    if (bytes > content.bytes) throw new Error(`it contains more than ${content.bytes} bytes of events`);
    const { id, stream, type, metadata } = event;
    const counted = { position, stream, type, recordedAt: metadata.recorded_at };
    count.add(counted, line);
    claims.add({ ...counted, id });
  }
  return { contents: count.contents(), contradictions: claims.found() };
};

async function* linesOf(
  file: string,
  format: FileFormat,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  if (format === 'parquet') {
    const { linesOfParquet } = await import('./parquet.ts');
    for await (const line of linesOfParquet(file)) yield Buffer.from(line);
    return;
  }
  const read = createReadStream(file, { signal });
  if (format === 'jsonl') {
    yield* splitLines(read);
    return;
  }
  const gunzip = createGunzip();
  read.on('error', (error) => gunzip.destroy(error));
  try {
    yield* splitLines(read.pipe(gunzip));
  } finally {
    read.destroy();
    gunzip.destroy();
  }
}

const flat = ({ content, events, first, last, by_category, by_type }: Contents): Record<string, unknown> => ({
  'content.bytes': content.bytes,
  'content.sha256': content.sha256,
  events,
  first,
  last,
  by_category,
  by_type,
});

const compare = (expected: Record<string, unknown>, found: Record<string, unknown>): Difference[] =>
  Object.entries(expected)
    .filter(([field, value]) => !isDeepStrictEqual(found[field], value))
    .map(([field, value]) => ({
      field,
      sentence: `${field} is ${JSON.stringify(found[field])} instead of ${JSON.stringify(value)}.`,
    }));

const sentenceOf = ({ log, events, first, last }: Manifest): string => {
  const range = first && last ? `, from ${first.recorded_at} to ${last.recorded_at}` : '';
  return `The file matches its manifest: ${events} events of the log ${log.name} (${log.id})${range}.`;
};
