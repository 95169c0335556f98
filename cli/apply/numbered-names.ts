import type { ObjectKind } from '../../api/configuration/entries.ts';
import type { Fields } from '../../domain/fields.ts';
import type { ConfiguredObject } from '../configuration/objects.ts';
import type { CurrentObject } from './current-objects.ts';
import { fileNames } from './file-names.ts';

interface Plans {
  configured: readonly ConfiguredObject[];
  /** all objects of the kind, oldest first */
  current: readonly CurrentObject[];
  pairs: ReadonlyMap<ConfiguredObject, CurrentObject>;
  /** whether the plan deletes an object that no entry is */
  isDoomed: (object: CurrentObject) => boolean;
  /** whether fields that an entry lacks stay as they are */
  keepsAbsent: boolean;
}

/**
 * Returns the entries whose objects keep a name without the number that the entry has. These are the entries whose objects
 * will have the same number after the plan. Other objects must get the name of their entry, or the next plan would not
 * find them.
 */
export const entriesWithNumber = (
  kind: ObjectKind,
  { configured, current, pairs, isDoomed, keepsAbsent }: Plans,
): ReadonlySet<ConfiguredObject> => {
  const numbered = new Set(
    configured.filter((object) => {
      const existing = pairs.get(object);
      return existing && object.fields['name'] === existing.name && existing.name !== existing.fields['name'];
    }),
  );
  const entries = new Map([...pairs].map(([object, existing]) => [existing, object]));
  const staying = current.filter((existing) => entries.has(existing) || !isDoomed(existing));
  const created = configured.filter((object) => !pairs.has(object));
  const afterwards = (existing: CurrentObject): { fields: Fields; page: string | null } => {
    const object = entries.get(existing);
    if (!object) return existing;
    const fields = { ...(keepsAbsent && existing.fields), ...object.fields };
    return { page: object.page, fields: numbered.has(object) ? { ...fields, name: existing.fields['name'] } : fields };
  };
  // An object that gets another name can leave its number to the next one.
  for (let before = -1; numbered.size > 0 && before !== numbered.size;) {
    before = numbered.size;
    const names = fileNames(kind, [...staying.map(afterwards), ...created]);
    for (const [n, existing] of staying.entries()) {
      const object = entries.get(existing);
      if (object && object.fields['name'] !== names[n]) numbered.delete(object);
    }
  }
  return numbered;
};
