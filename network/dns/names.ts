import { domainToASCII } from 'node:url';
import { MalformedDnsMessage } from './malformed.ts';

/**
 * The names that were read from a message, by their offset. Compression pointers repeat most names, so the table avoids
 * reading them again.
 */
export interface NameTable {
  known: Map<number, string>;
  /** total length of the names, in characters */
  length: number;
}

/** Maximum length of a name in bytes, including the length bytes of its labels (RFC 1035, 2.3.4). */
const MAX_NAME = 255;
const MAX_LABEL = 63;
/**
 * Maximum total length of the names of one message. No legitimate message has that many characters, but compression
 * pointers let a hostile message have a hundred times more.
 */
const MAX_CHARACTERS = 1_000_000;

export const emptyNameTable = (): NameTable => ({ known: new Map(), length: 0 });

/**
 * Reads a name, which may be compressed (RFC 1035, 4.1.4). A compression pointer must lead to an offset before the part
 * of the name that contains the pointer. So reading always ends.
 *
 * @param end offset at which the bytes of the name must end, unless a pointer leads elsewhere
 * @returns the name in presentation format, and the offset after the name
 * @throws MalformedDnsMessage
 */
export const readName = (bytes: Buffer, at: number, end: number, names: NameTable): { text: string; next: number } => {
  const begin = at;
  let text = '';
  let length = 1;
  let next = -1;
  /** offset of the part of the name that is being read */
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

/** Labels that need no escapes in the text of a name. In other labels, bytes are escaped as in BIND. */
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
 * Encodes a name. Returns null if the name is invalid: it has an empty label, a label longer than 63 bytes, or more
 * than 255 bytes in total. Names with other characters than ASCII are converted by the rules of IDNA.
 *
 * @param name in presentation format, with or without the final dot
 */
export const encodeName = (name: string): Buffer | null => {
  if (name === '.') return Buffer.of(0);
  const text = /^[\0-\x7f]*$/.test(name) ? name : domainToASCII(name);
  const bytes = Buffer.alloc(MAX_NAME);
  /** offset of the length byte of the current label */
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
    // `code` is NaN if the name ends with a backslash.
    if (!(code <= 0xff) || at >= MAX_NAME) return null;
    bytes[at++] = code;
  }
  // If the name has no final dot, its final label has not been ended yet.
  if (at > label + 1 && !endLabel()) return null;
  return at > MAX_NAME || at === 1 ? null : bytes.subarray(0, at);
};
const DOT = 0x2e;
const BACKSLASH = 0x5c;
