import type { Instant } from '../../domain/time.ts';
import type { FieldCondition, Scalar, Where } from '../../stores/read-store/port.ts';

/** Returns the condition of a filter on the field with the filter's name. */
export type Match<V> = (field: string, value: V) => Where;

/** The field has exactly this value. */
export const exactly: Match<Scalar> = (field, value) => ({ [field]: value });

/** The field has one of these values. */
export const oneOf: Match<readonly Scalar[]> = (field, values) => ({ [field]: anyOf(values) });

/** One of these values (at least one). For a single value the condition equals that of {@link exactly}. */
export const anyOf = (values: readonly Scalar[]): FieldCondition =>
  values.length === 1 ? { $eq: values[0] ?? null } : { $in: values };

/** One of these conditions (at least one). */
export const oneOfWhere = (conditions: readonly Where[]): Where =>
  conditions.length === 1 ? (conditions[0] ?? {}) : { $or: conditions };

/** One of these fields contains the text, case-insensitive. */
export const containedIn =
  (fields: readonly string[]): Match<string> =>
  (_, text) =>
    oneOfWhere(fields.map((field) => ({ [field]: { $contains: text } })));

/** The field contains the text, case-insensitive. */
export const containing: Match<string> = (field, value) => ({ [field]: { $contains: value } });

/** The list `tags` contains any of these. */
export const tagged: Match<readonly string[]> = (_, tags) => ({ tags: anyOf(tags) });

/** How each filter of a list matches. */
export type Matches<F extends object> = { readonly [K in keyof F]: Match<F[K]> };

/**
 * The conditions of the given filters; an absent filter adds none. All conditions must hold, even on the same field.
 */
export const matching = <F extends object>(matches: Matches<F>, filters: Partial<F>): Where =>
  conjunction(
    Object.entries(matches).flatMap(([field, match]) => {
      const value = (filters as Record<string, unknown>)[field];
      return value === undefined ? [] : [(match as Match<unknown>)(field, value)];
    }),
  );

/**
 * All of these conditions. Uses one object if no two of them share a key, because `$and` would hide them from indexes.
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

/** Documents created from one instant to another, both inclusive. */
export const createdWithin = (from: Instant | undefined, to: Instant | undefined): Record<string, FieldCondition> =>
  from === undefined && to === undefined
    ? {}
    : { created_at: { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) } };
