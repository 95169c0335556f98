import { isFields, type Fields } from '../fields.ts';

/** The value at a path; undefined if the path leads nowhere. */
export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (hasName(part, name) ? part[name] : undefined), value);

/** The existing paths in a value that match a pattern with `*` for any name of an object, `[]` for any element of an array. */
export const pathsIn = (value: unknown, [name, ...rest]: readonly string[]): string[][] => {
  if (name === undefined) return [[]];
  return namesIn(value, name).flatMap((one) => pathsIn(at(value, [one]), rest).map((path) => [one, ...path]));
};

const namesIn = (value: unknown, name: string): string[] => {
  if (Array.isArray(value)) return name === '[]' ? Object.keys(value) : [];
  if (!isFields(value)) return [];
  return name === '*' ? Object.keys(value) : [name].filter((one) => at(value, [one]) !== undefined);
};

/** Whether a value has something under a name; of an array, an element by its index. */
const hasName = (value: unknown, name: string): value is Fields =>
  (isFields(value) || (Array.isArray(value) && name !== 'length')) && Object.hasOwn(value, name);
