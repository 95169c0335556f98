import { TextDecoder } from 'node:util';
import type { Decoder } from './decoder.ts';
import { createJsonDecoder } from './json-decoder.ts';
import { WINDOWS_1252 } from './windows-1252.ts';

/** How much of a document is searched for a declaration inside it (WHATWG HTML, 13.2.3.2). */
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

/** The charset that a header names although nobody knows it; null if there is none. */
export const unknownCharset = (contentType: string): string | null => {
  const named = inContentType(contentType);
  return named !== undefined && !decoderOf(named) ? named : null;
};

/** `application/json`, `application/problem+json` */
const isJsonType = (contentType: string): boolean => /^[^;]*[/+]json\s*(?:;|$)/i.test(contentType);

/** Whether the charset can only be known from the beginning of the body. */
export const declaredInside = (contentType: string): boolean => {
  const named = inContentType(contentType);
  return !isJsonType(contentType) && (named === undefined || !decoderOf(named));
};

/**
 * The decoder for a body: a byte order mark takes precedence over the header, and a charset in the header that is known
 * over what an HTML or XML document declares; UTF-8 if nothing known is declared. JSON is UTF-8, whatever the header
 * says (RFC 8259, 8.1 and 11), and only what is not valid as such is read as the header says.
 *
 * @param head the first bytes of the body
 * @param isJson whether the body is to be JSON
 */
export const decoderFor = (contentType: string, head: Uint8Array, isJson = isJsonType(contentType)): Decoder => {
  const mark = BYTE_ORDER_MARKS.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))?.[0];
  if (mark) return new TextDecoder(mark);
  const named = decoderOf(inContentType(contentType) ?? 'utf-8');
  if (isJson) return createJsonDecoder(named ?? new TextDecoder());
  if (inContentType(contentType) !== undefined && named) return named;
  const inside = inDocument(Buffer.from(head.subarray(0, DECLARATION_BYTES)).toString('latin1'));
  // A document that names UTF-16 in ASCII characters is not in UTF-16.
  if (inside === undefined || /^utf-?16/i.test(inside)) return new TextDecoder();
  return decoderOf(inside) ?? new TextDecoder();
};
