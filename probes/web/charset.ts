import { TextDecoder } from 'node:util';
import type { Decoder } from './decoder.ts';
import { createJsonDecoder } from './json-decoder.ts';
import { WINDOWS_1252 } from './windows-1252.ts';

/** Number of bytes of a document that are searched for a charset declaration (WHATWG HTML, 13.2.3.2). */
export const DECLARATION_BYTES = 1_024;

const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

const inContentType = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];

const inDocument = (head: string): string | undefined =>
  /<meta[^>]+?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ??
  /^\s*<\?xml[^>]+?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];

const decoderOf = (label: string): Decoder | null => {
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding === 'windows-1252' ? WINDOWS_1252 : decoder;
  } catch {
    return null;
  }
};

/**
 * Returns the charset that a `Content-Type` names, if it is unknown; null if the `Content-Type` names no charset or a
 * known one.
 */
export const unknownCharset = (contentType: string): string | null => {
  const named = inContentType(contentType);
  return named !== undefined && !decoderOf(named) ? named : null;
};

/** Returns whether a `Content-Type` is JSON: `application/json`, `application/problem+json`. */
const isJsonType = (contentType: string): boolean => /^[^;]*[/+]json\s*(?:;|$)/i.test(contentType);

/** Returns whether the charset depends on a declaration at the beginning of the body. */
export const declaredInside = (contentType: string): boolean => {
  const named = inContentType(contentType);
  return !isJsonType(contentType) && (named === undefined || !decoderOf(named));
};

/**
 * Creates the decoder for a body. The charset is that of a byte order mark; otherwise a known charset in the header;
 * otherwise the declaration inside an HTML or XML document; otherwise UTF-8. JSON is UTF-8, whatever the header says
 * (RFC 8259, 8.1 and 11). Only if JSON is not valid UTF-8, the charset in the header is used.
 *
 * @param head the first bytes of the body
 * @param isJson whether the body should be JSON
 */
export const decoderFor = (contentType: string, head: Uint8Array, isJson = isJsonType(contentType)): Decoder => {
  const mark = BYTE_ORDER_MARKS.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))?.[0];
  if (mark) return new TextDecoder(mark);
  const named = decoderOf(inContentType(contentType) ?? 'utf-8');
  if (isJson) return createJsonDecoder(named ?? new TextDecoder());
  if (inContentType(contentType) !== undefined && named) return named;
  const inside = inDocument(Buffer.from(head.subarray(0, DECLARATION_BYTES)).toString('latin1'));
  // A document that declares UTF-16 in ASCII characters can't be UTF-16.
  if (inside === undefined || /^utf-?16/i.test(inside)) return new TextDecoder();
  return decoderOf(inside) ?? new TextDecoder();
};
