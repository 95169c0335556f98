import { isFields, type Fields } from '../fields.ts';

/** The value at a path; undefined if the path leads nowhere. */
export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (hasName(part, name) ? part[name] : undefined), value);

/** The existing paths in a value that match a pattern with `*` for any name, or any element of an array. */
export const pathsIn = (value: unknown, [name, ...rest]: readonly string[]): string[][] => {
  if (name === undefined) return [[]];
  if (!isFields(value) && !Array.isArray(value)) return [];
  const names = name === '*' ? Object.keys(value) : [name].filter((one) => at(value, [one]) !== undefined);
  return names.flatMap((one) => pathsIn(at(value, [one]), rest).map((path) => [one, ...path]));
};

/** Whether a value has something under a name; of an array, an element by its index. */
const hasName = (value: unknown, name: string): value is Fields =>
  (isFields(value) || (Array.isArray(value) && name !== 'length')) && Object.hasOwn(value, name);
