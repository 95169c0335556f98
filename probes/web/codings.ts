import * as zlib from 'node:zlib';

/** Node.js has it since 22.15. */
export const HAS_ZSTD = 'createZstdDecompress' in zlib;

/** The codings offered to servers. */
export const OFFERED: readonly string[] = ['gzip', 'br', 'deflate', ...(HAS_ZSTD ? ['zstd'] : [])];

const SAME_AS: Readonly<Record<string, string>> = { 'x-gzip': 'gzip', 'x-deflate': 'deflate' };

/** More layers than any server needs (RFC 9110 sets no limit). */
const MAX_LAYERS = 3;

/** Codings that pack a body, so without them nothing of it can be read: IANA's registry, and others that are known. */
const PACKING: ReadonlySet<string> = new Set([
  ...['gzip', 'br', 'deflate', 'zstd', 'compress', 'x-compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'aes128gcm'],
  ...['sdch', 'lzma', 'xz', 'x-xz', 'bzip2', 'x-bzip2', 'lz4', 'snappy', 'x-snappy', 'x-snappy-framed'],
]);

/** What the `Content-Encoding` of a response says. */
export interface Codings {
  /** in the order in which they were applied; empty if the body is plain, or can't be unpacked */
  packed: readonly string[];
  /** all of them if one can't be undone, so nothing of the body can be read; otherwise none */
  unreadable: readonly string[];
  /** words that are no coding of a body, such as `utf-8` or `none`; browsers show the body all the same */
  ignored: readonly string[];
}

/** @param contentEncoding all lines of the header, joined by commas; `identity` does not count */
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
    packed: canUnpack ? packed : [],
    unreadable: canUnpack ? [] : packed,
    ignored: known.filter((coding) => !PACKING.has(coding)),
  };
};
