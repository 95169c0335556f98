/** A JSON object. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Returns the value at a dotted path, or undefined if there is none. */
export const valueAt = (value: unknown, path: string): unknown => path.split('.').reduce(own, value);

/**
 * Returns a copy of an object with another value at a dotted path. If the value is undefined, the property is removed,
 * along with parent objects that become empty.
 */
export const withValueAt = (value: unknown, path: string, next: unknown): JsonObject => {
  const [name = '', ...rest] = path.split('.');
  const before = isObject(value) ? value : {};
  const inner = rest.length === 0 ? next : withValueAt(own(before, name), rest.join('.'), next);
  const isGone = inner === undefined || (rest.length > 0 && next === undefined && isEmpty(inner));
  const others = Object.entries(before).filter(([other]) => other !== name);
  if (isGone) return Object.fromEntries(others);
  return Object.hasOwn(before, name)
    ? Object.fromEntries(Object.entries(before).map(([other, one]) => [other, other === name ? inner : one]))
    : Object.fromEntries([...others, [name, inner]]);
};

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** Returns whether two values are equal as JSON, regardless of key order. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
};

/** Returns a text, number or boolean as text, or an empty text for any other value. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Returns a copy of an object without a key. */
export const without = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
