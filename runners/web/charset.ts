import { TextDecoder } from 'node:util';
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

/** Whether the charset can only be known from the beginning of the body. */
export const declaredInside = (contentType: string): boolean => inContentType(contentType) === undefined;

const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
};

/**
 * The decoder for a body: a byte order mark takes precedence over the header, and the header over what an HTML or
 * XML document declares; UTF-8 if nothing known is declared.
 *
 * @param head the first bytes of the body
 */
export const decoderFor = (contentType: string, head: Uint8Array): TextDecoder => {
  const mark = BYTE_ORDER_MARKS.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))?.[0];
  if (mark) return new TextDecoder(mark);
  const named = inContentType(contentType);
  if (named !== undefined) return decoderOf(named) ?? new TextDecoder();
  const inside = inDocument(Buffer.from(head.subarray(0, DECLARATION_BYTES)).toString('latin1'));
  // A document that names UTF-16 in ASCII characters is not in UTF-16.
  if (inside === undefined || /^utf-?16/i.test(inside)) return new TextDecoder();
  return decoderOf(inside) ?? new TextDecoder();
};
