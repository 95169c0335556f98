import type { Scalar } from './port.ts';

const FIELD = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
const paths = new Map<string, readonly string[]>();

/**
 * The names along a dotted field path.
 *
 * @throws TypeError unless it consists of names of letters, digits, `_` and `-`
 */
export const pathOf = (field: string): readonly string[] => {
  const known = paths.get(field);
  if (known) return known;
  if (!FIELD.test(field)) throw new TypeError(`${JSON.stringify(field)} is not a field name.`);
  const path = field.split('.');
  // Fields come from code, but a limit costs nothing.
  if (paths.size < 10_000) paths.set(field, path);
  return path;
};

/**
 * The name of a top-level field.
 *
 * @throws TypeError
 */
export const topLevelName = (field: string): string => {
  if (pathOf(field).length > 1) throw new TypeError(`${field} lies within another field.`);
  return field;
};

/** Only these fields of a document, null if one is missing. */
export const pickFields = (document: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, valueAt(document, [topLevelName(field)]) ?? null]));

/** The value of a document at a path; undefined if it is missing. Paths lead only through objects. */
export const valueAt = (document: object, path: readonly string[]): unknown => {
  let value: unknown = document;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[name];
  }
  return value;
};

/**
 * The value of a field that an index covers: a scalar, null if it is missing.
 *
 * @throws TypeError it is an array or an object
 */
export const indexedValueAt = (document: object, path: readonly string[]): Scalar => {
  const value = valueAt(document, path);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null; // as in JSON
    case 'undefined':
      return null;
    default:
      if (value === null) return null;
      throw new TypeError(`${path.join('.')} is declared in an index and must be scalar.`);
  }
};

// A lone surrogate has no UTF-8 form. JSON.stringify writes it as \ud8xx, which could come back as
// itself from one store and as U+FFFD from another.
const LONE_SURROGATE_ESCAPE = /\\(?:\\|u(d[89a-f][0-9a-f]{2})|.)/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The JSON text of a document for storing. Lone surrogates become U+FFFD, in all adapters alike. */
export const encode = (document: object): string => {
  const text = JSON.stringify(document);
  return text.includes('\\ud')
    ? text.replace(LONE_SURROGATE_ESCAPE, (escape, surrogate?: string) => (surrogate ? '\ufffd' : escape))
    : text;
};

/** A string in its stored form (see {@link encode}). */
export const wellFormed = (text: string): string => text.replace(LONE_SURROGATE, '\ufffd');

const rank = (value: Scalar): number =>
  value === null ? 0 : typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 3;

/** Order of all scalars: null, then numbers, strings by UTF-8 bytes, false, true (as in MongoDB). */
export const compareScalars = (a: Scalar, b: Scalar): number => {
  const byType = rank(a) - rank(b);
  if (byType !== 0) return byType;
  if (typeof a === 'string') return compareText(a, b as string);
  return Number(a) - Number(b);
};

/** Order of two strings by their UTF-8 bytes, which is that of their code points. */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return codePointOrder(left) - codePointOrder(right);
  }
  return a.length - b.length;
};

/**
 * Maps code units so that they sort by code point: surrogates belong to the highest code points, but are below U+E000.
 */
const codePointOrder = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/**
 * Searches texts for a substring or a prefix, ignoring case by Unicode's simple case folding, like the flags `iu` here
 * and `i` in MongoDB's regular expressions, so that all adapters return the same.
 */
export const textTest = (sought: string, where: 'anywhere' | 'start'): ((text: string) => boolean) => {
  const literal = sought.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = new RegExp(where === 'start' ? `^${literal}` : literal, 'iu');
  return (text) => pattern.test(text);
};
