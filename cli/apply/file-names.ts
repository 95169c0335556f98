import type { ObjectKind } from '../../api/configuration/entries.ts';
import type { Fields } from '../../domain/fields.ts';
import { keyOf } from '../configuration/kinds.ts';

/**
 * Returns the names that objects have in files. An object with the key of an earlier one gets a numbered name: `Shop (2)`.
 *
 * @param objects the objects of a kind, oldest first
 */
export const fileNames = (kind: ObjectKind, objects: readonly { fields: Fields; page: string | null }[]): string[] => {
  const given = new Set(objects.map(({ fields, page }) => keyOf(kind, fields, page)));
  const keys = new Set<string>();
  return objects.map(({ fields, page }) => {
    let named = fields;
    for (let n = 2; keys.has(keyOf(kind, named, page)); n++) {
      const numbered = { ...fields, name: `${String(fields['name'])} (${n})` };
      // A numbered name must not be that of another object.
      if (!given.has(keyOf(kind, numbered, page))) named = numbered;
    }
    keys.add(keyOf(kind, named, page));
    return String(named['name']);
  });
};

/** Removes the number from a name such as `Shop (2)`. Returns null if the name has none. */
export const withoutNumber = (name: unknown): string | null => /^(.+) \(\d+\)$/s.exec(String(name))?.[1] ?? null;
