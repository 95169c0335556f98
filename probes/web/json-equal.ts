/**
 * Returns whether two JSON values are equal. Numbers are compared by value, so `-0` equals `0`. The order of the
 * members of an object does not matter (RFC 8259, 4).
 */
export const jsonEqual = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((element, at) => jsonEqual(element, other[at]))
    );
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(
      ([name, value]) => Object.hasOwn(other, name) && jsonEqual(value, (other as Record<string, unknown>)[name]),
    )
  );
};
