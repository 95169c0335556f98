import { isFields } from '../fields.ts';

/** The value at a path; undefined if the path leads nowhere. */
export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isFields(part) && Object.hasOwn(part, name) ? part[name] : undefined), value);

/** The existing paths in a value that match a pattern with `*` for any name. */
export const pathsIn = (value: unknown, [name, ...rest]: readonly string[]): string[][] => {
  if (name === undefined) return [[]];
  if (!isFields(value)) return [];
  const names = name === '*' ? Object.keys(value) : [name].filter((one) => at(value, [one]) !== undefined);
  return names.flatMap((one) => pathsIn(value[one], rest).map((path) => [one, ...path]));
};
