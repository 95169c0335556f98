import { Type, type Static } from '@sinclair/typebox';
import { isFields, type Fields } from './fields.ts';

/** An encrypted text. Only the port `Keys` can decrypt it, with the key of the given name. */
export const Sealed = Type.Object({ key: Type.String(), sealed: Type.String() });
export type Sealed = Static<typeof Sealed>;

/**
 * Whether a value has the shape of a sealed text. It may still be ordinary input; only the schema says which fields are
 * sealed (check/sealing.ts).
 */
export const isSealed = (value: unknown): value is Sealed =>
  isFields(value) &&
  typeof value['key'] === 'string' &&
  typeof value['sealed'] === 'string' &&
  Object.keys(value).length === 2;

// Input from clients can have the shape of a sealed text, for example if it was copied from an export. To distinguish
// such input from sealed texts, it is stored with a backslash before the name `sealed`. If the name already starts with
// backslashes, another backslash is added.
/** Escapes a value, so that no part of it has the shape of a sealed text. */
export const escaped = <T>(value: T): T =>
  has(value, SEALED) ? (renamed(value, SEALED, (name) => `\\${name}`) as T) : value;

const SEALED = /^\\*sealed$/;

/** Reverts {@link escaped}. */
export const unescaped = <T>(value: T): T => renamed(value, /^\\+sealed$/, (name) => name.slice(1)) as T;

/** Returns the JSON of an {@link unescaped} value. Values that contain nothing to unescape are not parsed. */
export const unescapedText = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.includes('\\\\sealed":') ? JSON.stringify(unescaped(JSON.parse(text))) : text;
};

/**
 * Whether a value has a field with a matching name at any depth. Most values have no such field, and are not copied.
 */
const has = (value: unknown, name: RegExp): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((part) => has(part, name));
  for (const field of Object.keys(value)) {
    if (name.test(field) || has((value as Fields)[field], name)) return true;
  }
  return false;
};

/** Renames matching fields in objects whose field `key` is a text. Unchanged parts are not copied. */
const renamed = (value: unknown, pattern: RegExp, rename: (name: string) => string): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const parts = value.map((part) => renamed(part, pattern, rename));
    return parts.some((part, index) => part !== value[index]) ? parts : value;
  }
  const fields = Object.entries(value);
  const mayLook = typeof (value as Fields)['key'] === 'string';
  const parts = fields.map(([name, part]: [string, unknown]): [string, unknown] => [
    mayLook && typeof part === 'string' && pattern.test(name) ? rename(name) : name,
    renamed(part, pattern, rename),
  ]);
  return parts.some(([name, part], index) => name !== fields[index]?.[0] || part !== fields[index][1])
    ? Object.fromEntries(parts)
    : value;
};
