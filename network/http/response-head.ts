import type { IncomingHttpHeaders } from 'node:http';
import { HeadFault, invalidHttp } from './fault.ts';

/** The head of a response: everything before its body. */
export interface ResponseHead {
  status: number;
  /** `1.1` */
  version: string;
  headers: IncomingHttpHeaders;
  /** the reason phrase, with one character per byte; may be empty */
  words: string;
  /** names and values of the header lines as the server wrote them, with one character per byte */
  fields: readonly (readonly [name: string, value: string])[];
  /** whether the head has lines that are not headers */
  hasOtherLines: boolean;
}

/** Matches a status line. Only these versions of HTTP have text heads. */
const STATUS_LINE = /^HTTP\/(0\.9|1\.0|1\.1|2\.0)[ \t]+([1-9]\d\d)(?!\d)[ \t]*(.*)/i;
/** RFC 9110, 5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the head of a response as browsers do, which is more lenient than RFC 9112. Lines may end with a bare LF. A
 * line that begins with a space continues the previous line. There may be spaces before the colon. Lines that are not
 * headers are skipped, such as a second status line from a CGI script.
 *
 * @param bytes all bytes up to and including the empty line
 * @throws HttpFault the bytes are not a head
 */
export const parseResponseHead = (bytes: Buffer): ResponseHead => {
  // Latin-1 has one character per byte. The character encoding of each value is determined later.
  const text = bytes.toString('latin1');
  const [first = '', ...lines] = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const [, version, status, words = ''] = STATUS_LINE.exec(first) ?? [];
  if (version === undefined || status === undefined) throw invalidHttp(statusLineTrouble(first));
  const whole = unfolded(lines);
  const fields = whole.map(fieldIn).filter((field) => field !== null);
  const head = { status: Number(status), version, headers: headersOf(fields), words, fields };
  if (!text.includes('\0')) return { ...head, hasOtherLines: fields.length < whole.length };
  const nul = 'there is a NUL in its head';
  throw head.status < 200 ? invalidHttp(nul) : new HeadFault(nul, head);
};

const statusLineTrouble = (line: string): string =>
  /^HTTP\/\S+[ \t]/i.test(line) && !/^HTTP\/(0\.9|1\.0|1\.1|2\.0)[ \t]/i.test(line)
    ? 'it names a version that does not exist'
    : 'its first line has no status code';

/** Joins continuation lines: a line that begins with a space continues the previous line (RFC 9112, 5.2: obs-fold). */
const unfolded = (lines: readonly string[]): string[] => {
  const whole: string[] = [];
  for (const line of lines) {
    const before = whole.length - 1;
    if (isBlank(line, 0) && before >= 0) whole[before] = `${whole[before] ?? ''} ${trimmed(line)}`;
    else if (trimmed(line) !== '') whole.push(line);
  }
  return whole;
};

/** Parses a header line. Returns null if the line has no colon, or no valid name before the colon. */
const fieldIn = (line: string): readonly [string, string] | null => {
  const colon = line.indexOf(':');
  const name = trimmed(line.slice(0, Math.max(0, colon)));
  if (!TOKEN.test(name)) return null;
  return [name, trimmed(line.slice(colon + 1).replaceAll('\r', ' '))];
};

const headersOf = (fields: ResponseHead['fields']): IncomingHttpHeaders => {
  // The object has no prototype, because a header may have any name, such as `constructor`.
  const headers = Object.create(null) as Record<string, string | string[]>;
  for (const [written, bytes] of fields) {
    const name = written.toLowerCase();
    const value = decoded(name, bytes);
    const known = headers[name];
    if (known === undefined) headers[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else headers[name] = [known, value];
  }
  return headers;
};

/** Trims only spaces and tabs. `trim` would also remove bytes that belong to characters of another encoding. */
const trimmed = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
};

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/**
 * Decodes a value as UTF-8. A value that is not valid UTF-8 is decoded as ISO 8859-1, except for the target of a
 * redirect: its bytes are percent-encoded instead, so that they stay unchanged.
 */
const decoded = (name: string, value: string): string => {
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return name === 'location'
      ? value.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
      : value;
  }
};
