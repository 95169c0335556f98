import { Type, type Static } from '@sinclair/typebox';
import { isFields, type Fields } from './fields.ts';

/** An encrypted text. Only the port `Keys` can decrypt it, with the key of the given name. */
export const Sealed = Type.Object({ key: Type.String(), sealed: Type.String() });
export type Sealed = Static<typeof Sealed>;

/**
 * Whether a value has the shape of a sealed text. Ordinary input can have this shape too; only the schema says which
 * fields are sealed (check/sealing.ts).
 */
export const isSealed = (value: unknown): value is Sealed =>
  isFields(value) &&
  typeof value['key'] === 'string' &&
  typeof value['sealed'] === 'string' &&
  Object.keys(value).length === 2;

// Input from clients can have the shape of a sealed text, for example if it was copied from an export. To distinguish
// such input from sealed texts, its field `sealed` is stored as `\sealed`. If the field name already starts with
// backslashes, another backslash is added.
/** Escapes a value, so that no part of it has the shape of a sealed text. */
export const escaped = <T>(value: T): T =>
  has(value, SEALED) ? (renamed(value, SEALED, (name) => `\\${name}`) as T) : value;

const SEALED = /^\\*sealed$/;

/** Reverts {@link escaped}. */
export const unescaped = <T>(value: T): T => renamed(value, /^\\+sealed$/, (name) => name.slice(1)) as T;

/**
 * Reverts {@link escaped}, and returns the value as JSON. The JSON is parsed only if it contains an escaped field name.
 */
export const unescapedText = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.includes('\\\\sealed":') ? JSON.stringify(unescaped(JSON.parse(text))) : text;
};

/** Whether a value has a field with a matching name at any depth. */
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
