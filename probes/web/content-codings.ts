import * as zlib from 'node:zlib';

/** Available since Node.js 22.15. */
export const HAS_ZSTD = 'createZstdDecompress' in zlib;

/** The content codings that requests offer. */
export const OFFERED: readonly string[] = ['gzip', 'br', 'deflate', ...(HAS_ZSTD ? ['zstd'] : [])];

const SAME_AS: Readonly<Record<string, string>> = { 'x-gzip': 'gzip', 'x-deflate': 'deflate' };

/** Maximum number of nested codings. No server needs more (RFC 9110 sets no limit). */
const MAX_LAYERS = 3;

/** Codings that make a body unreadable unless it is decoded: those of IANA's registry, and some others. */
const PACKING: ReadonlySet<string> = new Set([
  ...['gzip', 'br', 'deflate', 'zstd', 'compress', 'x-compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'aes128gcm'],
  ...['sdch', 'lzma', 'xz', 'x-xz', 'bzip2', 'x-bzip2', 'lz4', 'snappy', 'x-snappy', 'x-snappy-framed'],
]);

/** The codings in the `Content-Encoding` of a response. */
export interface Codings {
  /** codings to remove, in the order in which they were applied; empty if the body is plain or can't be decompressed */
  compressed: readonly string[];
  /** all codings if one of them is unsupported, so that the body is unreadable; otherwise empty */
  unreadable: readonly string[];
  /** words that are not content codings, such as `utf-8` or `none`, which browsers ignore too */
  ignored: readonly string[];
}

/** Parses the codings of a response. Ignores `identity`. @param contentEncoding all header lines, joined by commas */
export const codingsOf = (contentEncoding: string): Codings => {
  const named = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const known = named.map((coding) => (Object.hasOwn(SAME_AS, coding) ? (SAME_AS[coding] ?? '') : coding));
  const packed = known.filter((coding) => PACKING.has(coding));
  const canUnpack = packed.length <= MAX_LAYERS && packed.every((coding) => OFFERED.includes(coding));
  return {
    compressed: canUnpack ? packed : [],
    unreadable: canUnpack ? [] : packed,
    ignored: known.filter((coding) => !PACKING.has(coding)),
  };
};
