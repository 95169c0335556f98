import { isUtf8 } from 'node:buffer';
import { HttpError } from '../errors.ts';
import { collecting, WHOLE, type Sentences } from '../sentences.ts';
import { refuseBoundless } from './json-bounds.ts';

/** Fields of one object, those of maps included (docs/decisions.md: Requests). */
export const MAX_FIELDS = 1_000;
/** Where a path in an error is cut off: a name may be as long as the body, and is in each path below it. */
const LONGEST_PATH = 300;
/** U+FEFF in UTF-8. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface ParsedBody {
  /** `{}` when there was none */
  value: unknown;
  /** texts and numbers in it that can't be stored as they are, by field */
  unstorable: Sentences | null;
  /** objects in it that have too many fields; a body that has any is not looked at further */
  crowded: Sentences | null;
}

/**
 * Parses a body. A byte order mark before it is ignored (RFC 8259 8.1), as editors and .NET clients write one.
 *
 * @throws HttpError 400 what was sent is not JSON
 */
export const parseJson = (sent: Buffer): ParsedBody => {
  const bytes = sent.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? sent.subarray(BYTE_ORDER_MARK.length)
    : sent;
  if (bytes.length === 0) return { value: {}, unstorable: null, crowded: null };
  if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not valid UTF-8.');
  refuseBoundless(bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new HttpError(400, 'The body is not valid JSON.');
  }
  return { value, ...lookedOver(value) };
};

/**
 * Finds what JSON allows but stores do not keep as it is: NUL characters, lone surrogates, numbers that a double can't
 * hold exactly, and fields named `__proto__`. It removes the latter: at the top of the body such a field is an unknown
 * field like any other, deeper down it would be a key of a map.
 */
export const lookedOver = (root: unknown): Pick<ParsedBody, 'unstorable' | 'crowded'> => {
  const unstorable = collecting();
  const crowded = collecting();
  const say = (path: string, sentence: string): void => {
    unstorable.say(path === '' ? WHOLE : path, sentence);
  };
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      if (!isStorable(value)) say(path, 'Must be Unicode text without NUL characters.');
    } else if (typeof value === 'number') {
      // From there on a double has gaps between integers, so the stored number could differ from the one sent.
      if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) say(path, BEYOND_EXACT);
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value);
      if (keys.length > MAX_FIELDS && !Array.isArray(value)) {
        crowded.say(path === '' ? WHOLE : path, `Must have at most ${MAX_FIELDS.toLocaleString('en')} fields.`);
        return;
      }
      for (const key of keys) {
        const fields = value as Record<string, unknown>;
        if (key === '__proto__') {
          Reflect.deleteProperty(fields, key);
          if (path !== '') say(path, 'Names of fields must not be __proto__.');
        } else {
          if (!isStorable(key)) say(path, 'Names of fields must be Unicode text without NUL characters.');
          visit(fields[key], below(path, key));
        }
      }
    }
  };
  visit(root, '');
  return { unstorable: unstorable.said(), crowded: crowded.said() };
};

const below = (path: string, name: string): string => {
  if (path.length >= LONGEST_PATH) return path;
  const shown = name.slice(0, LONGEST_PATH);
  return path === '' ? shown : `${path}.${shown}`;
};

const BEYOND_EXACT = `Must be a number from -${Number.MAX_SAFE_INTEGER.toString()} to ${Number.MAX_SAFE_INTEGER.toString()}.`;
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const isStorable = (text: string): boolean => !UNSTORABLE.test(text);
