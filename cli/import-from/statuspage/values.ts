import { isFields, type Fields } from '../../../domain/fields.ts';
import { parseInstant, type Instant } from '../../../domain/time.ts';

/** Returns a text without white space at its ends; null if the value is not a text, or if nothing is left. */
export const textOf = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
};

export const booleanOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

/** Returns the time of an ISO 8601 text; null if the value is not a time. */
export const instantOf = (value: unknown): Instant | null => (typeof value === 'string' ? parseInstant(value) : null);

/** Returns the objects of an array. */
export const objectsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** Returns a value if it is one of some texts; otherwise null. */
export const oneOf = <T extends string>(values: readonly T[], value: unknown): T | null =>
  values.find((one) => one === value) ?? null;

/** Cuts a text to a number of Unicode characters, which is how the service counts the length of a text. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : Array.from(text).slice(0, length).join('');
