import { Type, type Static } from '@sinclair/typebox';
import { isFields, type Fields } from './fields.ts';

/** Text that only the port `Keys` can read, under the named key. */
export const Sealed = Type.Object({ key: Type.String(), sealed: Type.String() });
export type Sealed = Static<typeof Sealed>;

/** Whether a value has the shape of a sealed text. It is one only where the schema has one (check/sealing.ts). */
export const isSealed = (value: unknown): value is Sealed =>
  isFields(value) &&
  typeof value['key'] === 'string' &&
  typeof value['sealed'] === 'string' &&
  Object.keys(value).length === 2;

// What callers send may have the shape of a sealed text, such as one copied from an export. It is stored with a
// backslash before the name `sealed`, and one more before a name that already has some, so it never looks like one.

/** The same value, stored so that nothing in it has the shape of a sealed text. */
export const escaped = <T>(value: T): T =>
  has(value, SEALED) ? (renamed(value, SEALED, (name) => `\\${name}`) as T) : value;

const SEALED = /^\\*sealed$/;

/** The inverse of {@link escaped}. */
export const unescaped = <T>(value: T): T => renamed(value, /^\\+sealed$/, (name) => name.slice(1)) as T;

/** The JSON text of an {@link unescaped} value; in most there is nothing to unescape. */
export const unescapedText = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.includes('\\\\sealed":') ? JSON.stringify(unescaped(JSON.parse(text))) : text;
};

/** Whether there is a field of that name anywhere; in most bodies there is none, so nothing need be copied. */
const has = (value: unknown, name: RegExp): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((part) => has(part, name));
  for (const field of Object.keys(value)) {
    if (name.test(field) || has((value as Fields)[field], name)) return true;
  }
  return false;
};

/** Renames fields of objects that have a text as `key`; what stays the same is not copied. */
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
