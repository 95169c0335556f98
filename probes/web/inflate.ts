import { crc32, createInflateRaw } from 'node:zlib';
import { createDecompressor, type Decompressor } from './decompressor.ts';
import { STREAM_OPTIONS, type LayerEvents, type DecompressionLayer } from './decompression-layer.ts';
import { adler32, gzipHeaderEnd, zlibHeaderEnd } from './deflate-headers.ts';

/** Maximum number of members of a gzip stream (RFC 1952, 2.2). BGZF files have one per 64 KiB. */
const MAX_MEMBERS = 1_000;
const NOTHING = Buffer.alloc(0);

/** The container format around DEFLATE data. */
interface Wrapping {
  /** Returns the length of the header; null if it is incomplete, undefined if it is invalid. */
  headerEnd: (bytes: Buffer) => number | null | undefined;
  trailerBytes: number;
  /** Continues the checksum `before` with a chunk of decompressed data. */
  sum: (chunk: Buffer, before: number) => number;
  /** initial value of the checksum */
  first: number;
  matches: (trailer: Buffer, sum: number, size: number) => boolean;
}

const GZIP: Wrapping = {
  headerEnd: gzipHeaderEnd,
  trailerBytes: 8,
  sum: (chunk, before) => crc32(chunk, before),
  first: 0,
  matches: (trailer, sum, size) => trailer.readUInt32LE(0) === sum && trailer.readUInt32LE(4) === size % 2 ** 32,
};
const ZLIB: Wrapping = {
  headerEnd: zlibHeaderEnd,
  trailerBytes: 4,
  sum: adler32,
  first: 1,
  matches: (trailer, sum) => trailer.readUInt32BE(0) === sum,
};
const RAW: Wrapping = { headerEnd: () => 0, trailerBytes: 0, sum: () => 0, first: 0, matches: () => true };

/**
 * Creates a layer that decompresses `gzip` or `deflate` as browsers do. A missing or wrong checksum, bytes after the
 * end, and a missing end are only flaws: the decompressed data is used. Reads all members of a gzip stream.
 */
export const createInflate = (coding: 'gzip' | 'deflate', events: LayerEvents): DecompressionLayer => {
  let wrapping = coding === 'gzip' ? GZIP : ZLIB;
  let state: 'header' | 'data' | 'trailer' | 'after' | 'ignored' = 'header';
  /** bytes of an incomplete header or trailer */
  let held: Buffer = NOTHING;
  let data: Decompressor | null = null;
  let members = 0;
  let sum = 0;
  let size = 0;
  let total = 0;
  let inputEnded = false;

  const ignoreRest = (): true => {
    events.flaw('trailing');
    held = NOTHING;
    state = 'ignored';
    return true;
  };

  const open = (): Decompressor =>
    createDecompressor(createInflateRaw(STREAM_OPTIONS), {
      data: (chunk) => {
        sum = wrapping.sum(chunk, sum);
        size += chunk.length;
        total += chunk.length;
        return events.data(chunk);
      },
      end: (rest, whole) => {
        state = 'trailer';
        if (!whole) {
          if (total === 0) events.error(new Error('The data is cut off before anything can be decompressed.'));
          else events.flaw('unfinished');
          if (total > 0) events.end();
          return;
        }
        write(rest);
        if (inputEnded) end();
        else events.drain();
      },
      error: events.error,
      drain: events.drain,
    });

  /** @returns whether the writer may continue */
  const readHeader = (): boolean => {
    const end = wrapping.headerEnd(held);
    if (end === null) return true;
    if (end === undefined) {
      if (members > 0) return ignoreRest();
      if (coding === 'gzip') {
        events.error(new Error('The data does not begin like gzip.'));
        return true;
      }
      // Under the name `deflate`, some servers send zlib data, others raw DEFLATE (RFC 9110, 8.4.1.2).
      wrapping = RAW;
    }
    const rest = held.subarray(end ?? 0);
    held = NOTHING;
    state = 'data';
    members += 1;
    sum = wrapping.first;
    size = 0;
    data = open();
    return rest.length === 0 || data.write(rest);
  };

  const readTrailer = (): boolean => {
    const { trailerBytes, matches } = wrapping;
    if (held.length < trailerBytes) return true;
    if (!matches(held.subarray(0, trailerBytes), sum, size)) events.flaw('wrong checksum');
    held = held.subarray(trailerBytes);
    state = 'after';
    return readAfter();
  };

  /** Reads the bytes after a trailer, which may be another member of the gzip stream. */
  const readAfter = (): boolean => {
    if (held.length === 0) return true;
    if (wrapping !== GZIP || members === MAX_MEMBERS) return ignoreRest();
    state = 'header';
    return readHeader();
  };

  const write = (chunk: Buffer): boolean => {
    if (chunk.length === 0 || state === 'ignored') return true;
    if (state === 'data') return data?.write(chunk) ?? true;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (state === 'header') return readHeader();
    return state === 'trailer' ? readTrailer() : readAfter();
  };

  const end = (): void => {
    inputEnded = true;
    if (state === 'data') {
      data?.end();
      return;
    }
    if (state === 'header' && members === 0 && held.length > 0) {
      events.error(new Error('The data is cut off in its header.'));
      return;
    }
    if (state === 'trailer' && wrapping.trailerBytes > 0) events.flaw('no checksum');
    if (state === 'header' && held.length > 0) events.flaw('trailing');
    // An empty input is an empty body, whatever the coding.
    events.end();
  };

  return {
    write,
    end,
    resume: () => data?.resume(),
    destroy: () => data?.destroy(),
  };
};
