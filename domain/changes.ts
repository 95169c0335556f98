import { isDeepStrictEqual } from 'node:util';

/** The fields that a change touches: what they are to be, and what they were. */
export interface ChangedFields<Fields extends object> {
  changes: Partial<Fields>;
  previous: Partial<Fields>;
}

/**
 * The fields of an input that differ from what is there, in the order of the input. A field that is absent, or
 * undefined, stays; objects and arrays are the same where all that is in them is.
 *
 * @returns null when nothing would change: that is no event
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
