import type { Instant } from '../../domain/time.ts';
import type { FieldCondition, Scalar, Where } from '../../stores/read-store/port.ts';

/** Creates the condition of a filter. `field` is the name of the filter, which is usually that of a document field. */
export type Match<V> = (field: string, value: V) => Where;

/** Creates the condition that the field has exactly this value. */
export const exactly: Match<Scalar> = (field, value) => ({ [field]: value });

/** Creates the condition that the field has one of these values. */
export const oneOf: Match<readonly Scalar[]> = (field, values) => ({ [field]: anyOf(values) });

/** Creates a condition on a field, which matches one of the values. There must be at least one value. */
export const anyOf = (values: readonly Scalar[]): FieldCondition =>
  values.length === 1 ? { $eq: values[0] ?? null } : { $in: values };

/** Combines conditions, at least one of which must match. There must be at least one condition. */
export const oneOfWhere = (conditions: readonly Where[]): Where =>
  conditions.length === 1 ? (conditions[0] ?? {}) : { $or: conditions };

/** Creates the condition that one of these fields contains the text, ignoring case. */
export const containedIn =
  (fields: readonly string[]): Match<string> =>
  (_, text) =>
    oneOfWhere(fields.map((field) => ({ [field]: { $contains: text } })));

/** Creates the condition that the field contains the text, ignoring case. */
export const containing: Match<string> = (field, value) => ({ [field]: { $contains: value } });

/** Creates the condition that the list `tags` contains one of these values. */
export const tagged: Match<readonly string[]> = (_, tags) => ({ tags: anyOf(tags) });

/** Functions that create the condition of each filter of a list. */
export type Matches<F extends object> = { readonly [K in keyof F]: Match<F[K]> };

/**
 * Combines the conditions of all given filters. Absent filters have no condition. All conditions must match, even if
 * several are on the same field.
 */
export const matching = <F extends object>(matches: Matches<F>, filters: Partial<F>): Where =>
  conjunction(
    Object.entries(matches).flatMap(([field, match]) => {
      const value = (filters as Record<string, unknown>)[field];
      return value === undefined ? [] : [(match as Match<unknown>)(field, value)];
    }),
  );

/**
 * Combines conditions, all of which must match. If no two of them have the same key, they are merged into one object,
 * because stores do not use indexes for conditions in `$and`.
 */
const conjunction = (conditions: readonly Where[]): Where => {
  const together: Where = {};
  const others: Where[] = [];
  for (const condition of conditions) {
    if (Object.keys(condition).some((key) => key in together)) others.push(condition);
    else Object.assign(together, condition);
  }
  return others.length === 0 ? together : { ...together, $and: [...(together.$and ?? []), ...others] };
};

/** Creates the condition for documents created from one instant to another, both inclusive. */
export const createdWithin = (from: Instant | undefined, to: Instant | undefined): Record<string, FieldCondition> =>
  from === undefined && to === undefined
    ? {}
    : { created_at: { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) } };
