import { domainToASCII } from 'node:url';
import { MalformedDnsMessage } from './malformed.ts';

/** Names of a message by offset, since most are repeated by compression pointers. */
export interface NameTable {
  known: Map<number, string>;
  /** total length of the names, characters */
  length: number;
}

/** Maximum length of a name with its length bytes (RFC 1035, 2.3.4). */
const MAX_NAME = 255;
const MAX_LABEL = 63;
/** More characters than the names of any legitimate message have. A hostile message could have a hundred times more. */
const MAX_CHARACTERS = 1_000_000;

export const emptyNameTable = (): NameTable => ({ known: new Map(), length: 0 });

/**
 * Reads a name, which may be compressed (RFC 1035, 4.1.4). A pointer must lead to an offset before the part that
 * contains it, so reading always ends.
 *
 * @param end where the bytes of the name at `at` must end
 * @returns the name in presentation format, and the offset after it
 * @throws Malformed
 */
export const readName = (bytes: Buffer, at: number, end: number, names: NameTable): { text: string; next: number } => {
  const begin = at;
  let text = '';
  let length = 1;
  let next = -1;
  /** offset of the part being read */
  let part = at;
  let limit = end;
  for (;;) {
    if (at >= limit) throw new MalformedDnsMessage('a name is cut off');
    const size = bytes.readUInt8(at);
    if (size === 0) {
      at += 1;
      break;
    }
    if (size >= 0xc0) {
      if (at + 1 >= limit) throw new MalformedDnsMessage('a name is cut off');
      const target = bytes.readUInt16BE(at) - 0xc000;
      if (target >= part) throw new MalformedDnsMessage('a compressed name points to itself or ahead');
      if (next < 0) next = at + 2;
      at = part = target;
      limit = bytes.length;
      const known = text === '' ? names.known.get(target) : undefined;
      if (known !== undefined) return { text: known, next };
      continue;
    }
    if (size > MAX_LABEL) throw new MalformedDnsMessage('a name has a label of an unknown kind');
    length += size + 1;
    if (length > MAX_NAME) throw new MalformedDnsMessage('a name is longer than 255 bytes');
    if (at + 1 + size > limit) throw new MalformedDnsMessage('a name is cut off');
    text += `${text === '' ? '' : '.'}${labelText(bytes, at + 1, size)}`;
    at += size + 1;
  }
  const name = text === '' ? '.' : text;
  names.length += name.length;
  if (names.length > MAX_CHARACTERS) throw new MalformedDnsMessage('its names are too long in total');
  names.known.set(begin, name);
  return { text: name, next: next < 0 ? at : next };
};

/** Bytes that need no escape in the text of a name; the others are escaped as in BIND. */
const PLAIN = /^[!#%&'*+,\-/0-9:<=>?A-Z[\]^_`a-z{|}~]+$/;
const BACKSLASHED = '."()\\;@$';

const labelText = (bytes: Buffer, from: number, size: number): string => {
  const label = bytes.toString('latin1', from, from + size);
  if (PLAIN.test(label)) return label;
  return label.replace(/[^!#%&'*+,\-/0-9:<=>?A-Z[\]^_`a-z{|}~]/g, (character) =>
    BACKSLASHED.includes(character) ? `\\${character}` : `\\${character.charCodeAt(0).toString().padStart(3, '0')}`,
  );
};

/**
 * Encodes a name; null if it is invalid: empty labels, labels over 63 bytes, or over 255 bytes in all. Converts names
 * beyond ASCII as IDNA requires.
 *
 * @param name in presentation format, with or without the final dot
 */
export const encodeName = (name: string): Buffer | null => {
  if (name === '.') return Buffer.of(0);
  const text = /^[\0-\x7f]*$/.test(name) ? name : domainToASCII(name);
  const bytes = Buffer.alloc(MAX_NAME);
  /** offset of the current label's length byte */
  let label = 0;
  let at = 1;
  const endLabel = (): boolean => {
    const size = at - label - 1;
    bytes[label] = size;
    label = at++;
    return size > 0 && size <= MAX_LABEL;
  };
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    if (code === DOT) {
      if (!endLabel()) return null;
      continue;
    }
    if (code === BACKSLASH) {
      const number = /^\d{3}/.exec(text.slice(index + 1, index + 4))?.[0];
      code = number === undefined ? text.charCodeAt(index + 1) : Number(number);
      index += number?.length ?? 1;
    }
    // NaN if the name ends with a backslash
    if (!(code <= 0xff) || at >= MAX_NAME) return null;
    bytes[at++] = code;
  }
  // Without a final dot, the last label is still open.
  if (at > label + 1 && !endLabel()) return null;
  return at > MAX_NAME || at === 1 ? null : bytes.subarray(0, at);
};
const DOT = 0x2e;
const BACKSLASH = 0x5c;
