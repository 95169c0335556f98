import * as zlib from 'node:zlib';
import { createDecompressor, type ZlibStream } from './decompressor.ts';
import { createInflate } from './inflate.ts';
import {
  STREAM_OPTIONS,
  type CompressionFlaw,
  type LayerEvents,
  type DecompressionLayer,
} from './decompression-layer.ts';

const { createZstdDecompress } = zlib as {
  createZstdDecompress?: (options: { chunkSize: number; params: Record<number, number> }) => ZlibStream;
};

/** Base-2 logarithm of the maximum window of 8 MiB (RFC 9659, 3). The decoder's own limit would be 128 MiB. */
const ZSTD_WINDOW = 23;

const streamFor = (coding: string): ZlibStream => {
  if (coding === 'br') return zlib.createBrotliDecompress(STREAM_OPTIONS);
  if (coding !== 'zstd' || !createZstdDecompress) throw new Error(`${coding} can't be decompressed.`);
  const { ZSTD_d_windowLogMax: window = 0 } = zlib.constants as { ZSTD_d_windowLogMax?: number };
  return createZstdDecompress({ ...STREAM_OPTIONS, params: { [window]: ZSTD_WINDOW } });
};

/** Creates a layer that decompresses br or zstd. Its stream is created when the first byte is received. */
const createStreamed = (coding: string, events: LayerEvents): DecompressionLayer => {
  let produced = false;
  let trailing = false;
  let ended = false;
  let inputEnded = false;

  const noteTrailing = (rest: Buffer): void => {
    if (rest.length === 0 || trailing) return;
    trailing = true;
    events.flaw('trailing');
  };
  const open = () =>
    createDecompressor(streamFor(coding), {
      ...events,
      data: (chunk) => {
        produced = true;
        return events.data(chunk);
      },
      end: (rest, whole) => {
        ended = true;
        noteTrailing(rest);
        if (whole && !inputEnded) {
          events.drain();
          return;
        }
        if (!whole && !produced) {
          events.error(new Error('The data is cut off before anything can be decompressed.'));
          return;
        }
        if (!whole) events.flaw('unfinished');
        events.end();
      },
    });
  let data: ReturnType<typeof open> | null = null;

  return {
    write: (chunk) => {
      if (chunk.length === 0) return true;
      if (ended) noteTrailing(chunk);
      data ??= open();
      return ended || data.write(chunk);
    },
    end: () => {
      inputEnded = true;
      // An empty input is an empty body, whatever the coding.
      if (data && !ended) data.end();
      else events.end();
    },
    resume: () => data?.resume(),
    destroy: () => data?.destroy(),
  };
};

const createLayer = (coding: string, events: LayerEvents): DecompressionLayer =>
  coding === 'gzip' || coding === 'deflate' ? createInflate(coding, events) : createStreamed(coding, events);

export interface ContentDecoderEvents extends Omit<LayerEvents, 'flaw'> {
  /** called for a defect of data that is still readable */
  flaw: (coding: string, flaw: CompressionFlaw) => void;
}

/**
 * Creates a decoder that removes codings (content-codings.ts), in the reverse order of their application. Each layer
 * waits until the next layer has processed its output, so a nested decompression bomb takes no memory.
 */
export const createContentDecoder = (
  [coding, ...later]: readonly string[],
  events: ContentDecoderEvents,
): DecompressionLayer => {
  if (coding === undefined) throw new Error('There is nothing to decompress.');
  const flaw = (found: CompressionFlaw): void => {
    events.flaw(coding, found);
  };
  if (later.length === 0) return createLayer(coding, { ...events, flaw });
  const inner = createLayer(coding, {
    ...events,
    flaw,
    drain: () => {
      outer.resume();
    },
  });
  const outer = createContentDecoder(later, {
    data: inner.write,
    end: inner.end,
    error: events.error,
    flaw: events.flaw,
    drain: events.drain,
  });
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
