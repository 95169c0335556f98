import { TextDecoder } from 'node:util';
import type { Decoder } from './decoder.ts';

/**
 * Matches encodings whose bytes may accidentally be valid UTF-8. Bodies in these encodings are always decoded by the
 * named decoder.
 */
const AMBIGUOUS = /^(?:utf-|iso-2022-)/;
const NOTHING = new Uint8Array();

/** Creates a decoder that decodes UTF-8 up to the first piece with an invalid byte, and the rest with `named`. */
export const createJsonDecoder = (named: Decoder): Decoder => {
  if (AMBIGUOUS.test(named.encoding)) return named;
  // Each piece is decoded separately. Without `ignoreBOM`, U+FEFF at the beginning of a piece would be lost.
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** the beginning of an incomplete character */
  let held = NOTHING;
  let isUtf8 = true;

  return {
    encoding: named.encoding,
    decode: (bytes = NOTHING, options = {}) => {
      if (!isUtf8) return named.decode(bytes, options);
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const whole = all.length - (options.stream === true ? incompleteBytes(all) : 0);
      try {
        const text = utf8.decode(all.subarray(0, whole));
        held = Uint8Array.from(all.subarray(whole));
        return text;
      } catch {
        isUtf8 = false;
        return named.decode(all, options);
      }
    },
  };
};

/** Returns how many bytes at the end belong to an incomplete UTF-8 character (RFC 3629, 3). */
const incompleteBytes = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
};
