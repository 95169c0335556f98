import type { Decoder } from './decoder.ts';

/** The characters for 0x80 to 0x9F (WHATWG Encoding, index-windows-1252). Five of them are control characters. */
const UPPER =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/**
 * The decoder of windows-1252, which is also used for ISO 8859-1 and ASCII. It replaces the decoder of Node.js 20,
 * which decodes 0x80 to 0x9F as control characters.
 */
export const WINDOWS_1252: Decoder = {
  encoding: 'windows-1252',
  decode: (bytes = new Uint8Array()) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (character) => UPPER[character.charCodeAt(0) - 0x80] ?? character),
};
