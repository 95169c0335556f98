import * as zlib from 'node:zlib';
import type { Transform } from 'node:stream';

/** More layers than any server needs (RFC 9110 sets no limit). */
const MAX_LAYERS = 3;

/** Node.js has it since 22.15. */
const { createZstdDecompress } = zlib as {
  createZstdDecompress?: (options: { chunkSize: number; params: Record<number, number> }) => Transform;
};

/** The codings offered to servers. */
export const OFFERED: readonly string[] = ['gzip', 'br', 'deflate', ...(createZstdDecompress ? ['zstd'] : [])];
export const UNPACKABLE: ReadonlySet<string> = new Set([...OFFERED, 'x-gzip']);

/** A window of at most 8 MiB, as a logarithm (RFC 9659, 3); the decoder's own limit would be 128 MiB. */
const ZSTD_WINDOW = 23;

/** The codings of a body in the order in which they were applied; `identity` does not count. */
export const codingsOf = (contentEncoding: string): string[] =>
  contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

export const canUnpack = (codings: readonly string[]): boolean =>
  codings.length <= MAX_LAYERS && codings.every((coding) => UNPACKABLE.has(coding));

export interface UnpackEvents {
  /** @returns false to get no more until the layer is resumed */
  data: (chunk: Buffer) => boolean;
  /** the packed body is broken or cut off */
  error: (error: Error) => void;
  end: () => void;
  /** more can be written */
  drain: () => void;
}

export interface Unpacker {
  /** @returns false when the writer should wait for `drain` */
  write: (chunk: Buffer) => boolean;
  end: () => void;
  /** Goes on after `data` returned false. */
  resume: () => void;
  destroy: () => void;
}

/** Servers mean one or the other by "deflate"; the first byte distinguishes zlib from raw (RFC 9110, 8.4.1.2). */
const isZlib = (first: number): boolean => (first & 0x0f) === 8 && first >> 4 <= 7;

/** How much of a packed body may wait; with most bodies the server never has to slow down. */
const WAITING_BYTES = 262_144;

const streamFor = (coding: string, first: number): Transform => {
  const options = { chunkSize: 65_536, writableHighWaterMark: WAITING_BYTES };
  if (coding === 'br') return zlib.createBrotliDecompress(options);
  if (coding === 'deflate') return isZlib(first) ? zlib.createInflate(options) : zlib.createInflateRaw(options);
  if (coding === 'zstd' && createZstdDecompress) {
    const { ZSTD_d_windowLogMax: window = 0 } = zlib.constants as { ZSTD_d_windowLogMax?: number };
    return createZstdDecompress({ ...options, params: { [window]: ZSTD_WINDOW } });
  }
  return zlib.createGunzip(options);
};

/** Unpacks one coding; its stream is created when the first byte is there. */
const createLayer = (coding: string, events: UnpackEvents): Unpacker => {
  let stream: Transform | null = null;
  let destroyed = false;
  const open = (first: number): Transform => {
    const made = streamFor(coding, first);
    made.on('data', (chunk: Buffer) => {
      if (!events.data(chunk)) made.pause();
    });
    made.on('error', events.error);
    made.on('end', events.end);
    made.on('drain', events.drain);
    return made;
  };
  return {
    write: (chunk) => {
      const [first] = chunk;
      if (destroyed || first === undefined) return true;
      stream ??= open(first);
      return stream.write(chunk);
    },
    end: () => {
      // An empty input is an empty body, whatever its coding.
      if (stream) stream.end();
      else events.end();
    },
    resume: () => {
      stream?.resume();
    },
    destroy: () => {
      destroyed = true;
      stream?.destroy();
    },
  };
};

/**
 * Unpacks codings that {@link canUnpack} accepts, the last applied first. No layer runs ahead of the next,
 * so a bomb inside a bomb takes no memory.
 */
export const createUnpacker = ([coding, ...later]: readonly string[], events: UnpackEvents): Unpacker => {
  if (coding === undefined) throw new Error('There is nothing to unpack.');
  if (later.length === 0) return createLayer(coding, events);
  const inner = createLayer(coding, {
    ...events,
    drain: () => {
      outer.resume();
    },
  });
  const outer = createUnpacker(later, { data: inner.write, end: inner.end, error: events.error, drain: events.drain });
  return {
    write: outer.write,
    end: outer.end,
    resume: inner.resume,
    destroy: () => {
      outer.destroy();
      inner.destroy();
    },
  };
};
