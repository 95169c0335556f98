import { isDeepStrictEqual } from 'node:util';

/** The new values of the changed fields, and their previous values. */
export interface ChangedFields<Fields extends object> {
  changes: Partial<Fields>;
  previous: Partial<Fields>;
}

/**
 * Compares an input with the current fields. Absent and undefined fields of the input are not changed. Objects and
 * arrays are compared by content. A current field that is absent counts as null.
 *
 * @returns the fields that differ, in the order of the input; null if none differs, so that no event is needed
 */
export const changedFields = <Fields extends object>(
  current: Fields,
  wanted: { readonly [F in keyof Fields]?: Fields[F] | undefined },
): ChangedFields<Fields> | null => {
  const changed = (Object.keys(wanted) as (keyof Fields & string)[]).filter(
    (field) => wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], current[field] ?? null),
  );
  if (changed.length === 0) return null;
  const pick = (fields: object): Partial<Fields> =>
    Object.fromEntries(changed.map((field) => [field, (fields as Fields)[field] ?? null])) as Partial<Fields>;
  return { changes: pick(wanted), previous: pick(current) };
};
