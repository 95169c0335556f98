import { isFields, type Fields } from '../fields.ts';

/** Returns the value at a path; undefined if the path does not exist. */
export const valueAtPath = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (hasName(part, name) ? part[name] : undefined), value);

/**
 * Returns all paths in a value that match a pattern. In the pattern, `*` is any property name and `[]` any array index.
 */
export const pathsIn = (value: unknown, [name, ...rest]: readonly string[]): string[][] => {
  if (name === undefined) return [[]];
  return namesIn(value, name).flatMap((one) => pathsIn(valueAtPath(value, [one]), rest).map((path) => [one, ...path]));
};

const namesIn = (value: unknown, name: string): string[] => {
  if (Array.isArray(value)) return name === '[]' ? Object.keys(value) : [];
  if (!isFields(value)) return [];
  return name === '*' ? Object.keys(value) : [name].filter((one) => valueAtPath(value, [one]) !== undefined);
};

/** Whether an object has a property of this name, or an array has an element at this index. */
const hasName = (value: unknown, name: string): value is Fields =>
  (isFields(value) || (Array.isArray(value) && name !== 'length')) && Object.hasOwn(value, name);
