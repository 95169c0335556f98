import { isDeepStrictEqual } from 'node:util';

/** The changed fields: their new values and their previous ones. */
export interface ChangedFields<Fields extends object> {
  changes: Partial<Fields>;
  previous: Partial<Fields>;
}

/**
 * The fields of an input that differ from the current ones, in the order of the input. Absent and undefined fields are
 * not changed; objects and arrays are compared by content.
 *
 * @returns null if nothing changes; then no event is needed
 */
export const changedFields = <Fields extends object>(
  current: Fields,
  wanted: { readonly [F in keyof Fields]?: Fields[F] | undefined },
): ChangedFields<Fields> | null => {
  const changed = (Object.keys(wanted) as (keyof Fields & string)[]).filter(
    (field) => wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], current[field]),
  );
  if (changed.length === 0) return null;
  const pick = (fields: object): Partial<Fields> =>
    Object.fromEntries(changed.map((field) => [field, (fields as Fields)[field]])) as Partial<Fields>;
  return { changes: pick(wanted), previous: pick(current) };
};
