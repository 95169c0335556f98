import type { Scalar } from './port.ts';

const FIELD = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
const paths = new Map<string, readonly string[]>();

/**
 * Splits a dotted field path into its names.
 *
 * @throws TypeError a name is empty or contains characters other than letters, digits, `_` and `-`
 */
export const pathOf = (field: string): readonly string[] => {
  const known = paths.get(field);
  if (known) return known;
  if (!FIELD.test(field)) throw new TypeError(`${JSON.stringify(field)} is not a field name.`);
  const path = field.split('.');
  // Paths come from code, so there are few of them. The limit on the cache is only a precaution.
  if (paths.size < 10_000) paths.set(field, path);
  return path;
};

/**
 * Returns the name of a top-level field.
 *
 * @throws TypeError the path leads to a field within another field
 */
export const topLevelName = (field: string): string => {
  if (pathOf(field).length > 1) throw new TypeError(`${field} lies within another field.`);
  return field;
};

/** Returns an object with only the given fields of a document. A missing field is null. */
export const pickFields = (document: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, valueAt(document, [topLevelName(field)]) ?? null]));

/**
 * Returns the value at a path in a document; undefined if there is none. Paths lead only through objects, not through
 * arrays.
 */
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
 * Returns the value of a field that an index covers; null if the field is missing.
 *
 * @throws TypeError the value is an array or an object
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

// A lone surrogate has no UTF-8 form. JSON.stringify writes it as \ud8xx, which one store might return unchanged and
// another as U+FFFD.
const LONE_SURROGATE_ESCAPE = /\\(?:\\|u(d[89a-f][0-9a-f]{2})|.)/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Returns the JSON text of a document for storing. Replaces lone surrogates by U+FFFD, so that all adapters store the
 * same text.
 */
export const encode = (document: object): string => {
  const text = JSON.stringify(document);
  return text.includes('\\ud')
    ? text.replace(LONE_SURROGATE_ESCAPE, (escape, surrogate?: string) => (surrogate ? '\ufffd' : escape))
    : text;
};

/** Returns a string as {@link encode} would store it. */
export const wellFormed = (text: string): string => text.replace(LONE_SURROGATE, '\ufffd');

const rank = (value: Scalar): number =>
  value === null ? 0 : typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 3;

/**
 * Compares two scalars. The order is the same as in MongoDB: null, numbers, strings by their UTF-8 bytes, false, true.
 */
export const compareScalars = (a: Scalar, b: Scalar): number => {
  const byType = rank(a) - rank(b);
  if (byType !== 0) return byType;
  if (typeof a === 'string') return compareText(a, b as string);
  return Number(a) - Number(b);
};

/** Compares two strings by their UTF-8 bytes, which is the same order as that of their code points. */
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
 * Maps UTF-16 code units to numbers in the order of code points. Surrogates encode the highest code points, but are
 * lower than the code units from U+E000 on.
 */
const codePointOrder = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/**
 * Returns a function that tests whether a text contains or begins with `sought`. Ignores case by Unicode's simple case
 * folding, like the MongoDB adapter, so that all adapters return the same documents.
 */
export const textTest = (sought: string, where: 'anywhere' | 'start'): ((text: string) => boolean) => {
  const literal = sought.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = new RegExp(where === 'start' ? `^${literal}` : literal, 'iu');
  return (text) => pattern.test(text);
};
