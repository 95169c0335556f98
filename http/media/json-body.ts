import { isUtf8 } from 'node:buffer';
import { HttpError } from '../errors.ts';
import { createMessageCollector, WHOLE_KEY, type FieldMessages } from '../validation-messages.ts';
import { checkJsonBounds } from './json-bounds.ts';

/** Maximum number of fields of an object. Maps count as objects (docs/reference/requests.md#limits-of-bodies). */
export const MAX_FIELDS = 1_000;
/**
 * Maximum length of a path in an error message, in characters. A field name may be as long as the body, and the paths
 * of all nested fields repeat the name, so the response could otherwise be many times longer than the body.
 */
const LONGEST_PATH = 300;
/** U+FEFF in UTF-8. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface ParsedBody {
  /** the parsed body; `{}` for an empty body */
  value: unknown;
  /** error messages by field, for strings and numbers that cannot be stored unchanged */
  unstorable: FieldMessages | null;
  /** error messages by field, for objects with too many fields; such a body is not validated further */
  crowded: FieldMessages | null;
}

/**
 * Parses a JSON body. Ignores a leading byte order mark, which editors and .NET clients write (RFC 8259 8.1).
 *
 * @throws HttpError 400 the body is not valid JSON
 */
export const parseJson = (sent: Buffer): ParsedBody => {
  const bytes = sent.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? sent.subarray(BYTE_ORDER_MARK.length)
    : sent;
  if (bytes.length === 0) return { value: {}, unstorable: null, crowded: null };
  if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not valid UTF-8.');
  checkJsonBounds(bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new HttpError(400, 'The body is not valid JSON.');
  }
  return { value, ...unstorableContent(value) };
};

/**
 * Finds content that JSON allows but stores do not preserve: NUL characters, lone surrogates, numbers that a double
 * can't represent exactly, and fields named `__proto__`. Also removes fields named `__proto__`. At the top level, such
 * a field is ignored like any unknown field. In a nested object it is reported, because the object may be a map, whose
 * keys are content.
 */
export const unstorableContent = (root: unknown): Pick<ParsedBody, 'unstorable' | 'crowded'> => {
  const unstorable = createMessageCollector();
  const crowded = createMessageCollector();
  const report = (path: string, sentence: string): void => {
    unstorable.add(path === '' ? WHOLE_KEY : path, sentence);
  };
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      if (!isStorable(value)) report(path, 'Must be Unicode text without NUL characters.');
    } else if (typeof value === 'number') {
      // Beyond this limit, a double cannot represent every integer, so the stored number could differ from the one that
      // was sent.
      if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) report(path, BEYOND_EXACT);
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value);
      if (keys.length > MAX_FIELDS && !Array.isArray(value)) {
        crowded.add(path === '' ? WHOLE_KEY : path, `Must have at most ${MAX_FIELDS.toLocaleString('en')} fields.`);
        return;
      }
      for (const key of keys) {
        const fields = value as Record<string, unknown>;
        if (key === '__proto__') {
          Reflect.deleteProperty(fields, key);
          if (path !== '') report(path, 'Names of fields must not be __proto__.');
        } else {
          if (!isStorable(key)) report(path, 'Names of fields must be Unicode text without NUL characters.');
          visit(fields[key], below(path, key));
        }
      }
    }
  };
  visit(root, '');
  return { unstorable: unstorable.result(), crowded: crowded.result() };
};

const below = (path: string, name: string): string => {
  if (path.length >= LONGEST_PATH) return path;
  const shown = name.slice(0, LONGEST_PATH);
  return path === '' ? shown : `${path}.${shown}`;
};

const BEYOND_EXACT = `Must be a number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.`;
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Whether stores preserve a text: it has no NUL characters and no lone surrogates. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);
