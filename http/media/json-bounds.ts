import { HttpError } from '../errors.ts';

/**
 * Maximum number of values and levels of a body, regardless of its schema
 * (docs/reference/requests.md#limits-of-bodies). Without these limits, a body of 1 MiB could contain half a million
 * values, each of which takes time to process.
 */
export const MAX_VALUES = 20_000;
export const MAX_DEPTH = 32;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Refuses JSON with too many values or levels. Runs before the body is parsed, because parsing takes many times as long
 * as this check. Invalid JSON is left to the parser.
 *
 * @throws HttpError 400
 */
export const checkJsonBounds = (bytes: Buffer): void => {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      values += 1;
      at = endOfString(bytes, at);
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth -= 1;
    } else if (byte === COLON) {
      // The string before the colon was the name of a field, not a value.
      values -= 1;
    } else if (!isBetweenValues(byte)) {
      values += 1;
      while (at + 1 < bytes.length && !endsScalar(bytes[at + 1])) at += 1;
    }
    if (depth > MAX_DEPTH) throw new HttpError(400, `The body is nested deeper than ${MAX_DEPTH} levels.`);
    if (values > MAX_VALUES + 1) throw tooManyValues();
  }
  if (values > MAX_VALUES) throw tooManyValues();
};

const tooManyValues = (): HttpError =>
  new HttpError(400, `The body has more than ${MAX_VALUES.toLocaleString('en')} values.`);

/**
 * Returns the index of the quote that closes the string at `start`. Returns the length of the body if the string is not
 * closed.
 */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let from = start + 1; ;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1) return bytes.length;
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
};

const isBetweenValues = (byte: number | undefined): boolean => byte === undefined || byte <= SPACE || byte === COMMA;

const endsScalar = (byte: number | undefined): boolean =>
  isBetweenValues(byte) ||
  byte === QUOTE ||
  byte === COLON ||
  byte === OPENING_BRACE ||
  byte === OPENING_BRACKET ||
  byte === CLOSING_BRACE ||
  byte === CLOSING_BRACKET;
