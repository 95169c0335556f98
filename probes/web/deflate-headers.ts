/** Maximum length of a gzip header, in bytes. A header may contain a file name and a comment. */
const MAX_HEADER_BYTES = 16_384;

const METHOD_DEFLATE = 8;
const RESERVED = 0xe0;
const EXTRA = 0x04;
const NAME = 0x08;
const COMMENT = 0x10;
const HEADER_CHECKSUM = 0x02;

/**
 * Returns the length of the header of a gzip member (RFC 1952, 2.3).
 *
 * @returns null if the header is incomplete, undefined if it is invalid
 */
export const gzipHeaderEnd = (bytes: Buffer): number | null | undefined => {
  const begins = [0x1f, 0x8b, METHOD_DEFLATE].every((byte, at) => at >= bytes.length || bytes[at] === byte);
  const flags = bytes[3] ?? 0;
  if (!begins || (flags & RESERVED) !== 0) return undefined;
  if (bytes.length < 10) return null;
  let at = 10;
  if ((flags & EXTRA) !== 0) at += bytes.length < 12 ? Infinity : 2 + bytes.readUInt16LE(10);
  for (const text of [NAME, COMMENT]) {
    if ((flags & text) === 0) continue;
    const nul = bytes.indexOf(0, at);
    at = nul === -1 ? Infinity : nul + 1;
  }
  if ((flags & HEADER_CHECKSUM) !== 0) at += 2;
  if (at <= bytes.length) return at;
  return bytes.length > MAX_HEADER_BYTES ? undefined : null;
};

/**
 * Returns the length of the header of zlib data (RFC 1950, 2.2). A header that requires a dictionary counts as invalid.
 *
 * @returns null if the header is incomplete, undefined if it is invalid
 */
export const zlibHeaderEnd = (bytes: Buffer): number | null | undefined => {
  const [method = 0, flags = 0] = bytes;
  if ((method & 0x0f) !== METHOD_DEFLATE || method >> 4 > 7) return undefined;
  if (bytes.length < 2) return null;
  return (method * 256 + flags) % 31 === 0 && (flags & 0x20) === 0 ? 2 : undefined;
};

const MODULUS = 65_521;
/** Number of bytes that can be added to a sum of the checksum before the sum exceeds 32 bits. */
const MOST_AT_ONCE = 3_800;

/** Continues the checksum of zlib data (RFC 1950, 8.2). @param before the checksum so far, which begins with 1 */
export const adler32 = (chunk: Buffer, before: number): number => {
  let low = before % 65_536;
  let high = Math.floor(before / 65_536);
  for (let at = 0; at < chunk.length;) {
    const until = Math.min(chunk.length, at + MOST_AT_ONCE);
    for (; at < until; at++) {
      low += chunk[at] ?? 0;
      high += low;
    }
    low %= MODULUS;
    high %= MODULUS;
  }
  return high * 65_536 + low;
};
