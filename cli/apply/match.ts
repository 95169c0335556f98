import { defaultsOf, type ObjectKind } from '../../api/configuration/entries.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Fields } from '../../domain/fields.ts';
import { grouped } from '../../domain/grouped.ts';
import { IDENTITIES, keyOf } from '../configuration/kinds.ts';
import type { ConfiguredObject } from '../configuration/objects.ts';
import type { Problem } from '../configuration/paths.ts';
import type { CurrentObject } from './current-objects.ts';
import { normalised } from './file-form.ts';
import { withoutNumber } from './file-names.ts';
import { formerFields, renamedObjects, type Renamed } from './renamed.ts';

/** The objects of the service that configured objects are. */
export interface Matches {
  pairs: Map<ConfiguredObject, CurrentObject>;
  /**
   * objects with the name and type of an entry that are in another group, and that no entry is. Only entries without an
   * object of the service are in the map
   */
  namesakes: Map<ConfiguredObject, CurrentObject[]>;
  /** entries whose `formerly` does not identify one object */
  problems: Problem[];
}

/** The kinds whose objects can move to another group, and the fields that tell what an object observes. */
const TARGETS: Readonly<Partial<Record<ObjectKind, readonly string[]>>> = {
  checks: ['type', 'url', 'host', 'port'],
  components: ['check', 'check_tag'],
};

/**
 * Finds the object of the service for each configured object of a kind: by its key, or by its former name. A check or
 * component that has neither is an object of another group only if this object has the mark, the name, the type and the
 * target of the entry, no second object has them, and no other entry with this name lacks an object. An entry with a
 * numbered name (`Shop (2)`) and no object of its own is the object without the number that has all its other fields.
 *
 * @param mark mark of the objects that this configuration has created; null if they have none, as after an import
 */
export const matched = (
  kind: ObjectKind,
  configured: readonly ConfiguredObject[],
  current: readonly CurrentObject[],
  mark: string | null,
): Matches => {
  const pairs = new Map<ConfiguredObject, CurrentObject>();
  const byKey = new Map(
    current.map((object) => [keyOf(kind, { ...object.fields, name: object.name }, object.page), object]),
  );
  const free = new Set(current);
  const claim = (object: ConfiguredObject, existing: CurrentObject | undefined): void => {
    if (!existing || !free.delete(existing)) return;
    pairs.set(object, existing);
  };
  const keyOfEntry = ({ fields, page }: ConfiguredObject, before: Fields = {}): string =>
    keyOf(kind, { ...fields, ...before }, page);
  for (const object of configured) {
    const key = keyOfEntry(object);
    if (keyOfEntry(object, formerFields(object)) === key) claim(object, byKey.get(key));
  }
  const problems: Problem[] = [];
  const ofOtherGroups = (name: unknown, page: string | null): CurrentObject[] =>
    kind in TARGETS ? [...free].filter((one) => one.fields['name'] === name && one.page === page) : [];
  const renamed = configured
    .filter((object) => object.formerly !== null && !pairs.has(object))
    .map((object): Renamed => {
      const { formerly } = object;
      const own = byKey.get(keyOfEntry(object));
      const old = byKey.get(keyOfEntry(object, formerFields(object)));
      // A name without a group can be that of an object in any group, as in references.
      if (old || own || typeof formerly !== 'string') return { object, own, old };
      const [found, ...others] = ofOtherGroups(formerly, object.page);
      if (others.length > 0) problems.push(ambiguous(object, formerly));
      return { object, own, old: others.length > 0 ? undefined : found };
    });
  problems.push(...renamedObjects(renamed, free, claim));
  for (const object of mark === null ? [] : configured) {
    const unnumbered = withoutNumber(object.fields['name']);
    if (pairs.has(object) || unnumbered === null) continue;
    // The object has lost its number, because the object that had the same key is gone.
    const key = keyOfEntry(object, { name: unnumbered });
    const found = [...free].filter((one) => keyOf(kind, one.fields, one.page) === key && hasFieldsOf(object, one));
    if (found.length === 1) claim(object, found[0]);
  }
  if (!(kind in TARGETS)) return { pairs, namesakes: new Map(), problems };

  const nameIn = (page: string | null, name: unknown): string => JSON.stringify([page, name]);
  const byName = grouped([...free], ({ fields, page }) => nameIn(page, fields['name']));
  const nameOf = ({ fields, page }: ConfiguredObject): string => nameIn(page, fields['name']);
  const unmatched = configured.filter((object) => !pairs.has(object));
  for (const [name, [object, ...others]] of grouped(unmatched, nameOf)) {
    if (!object || others.length > 0) continue;
    const found = (byName.get(name) ?? []).filter((one) => one.managedBy === mark && hasTargetOf(object, one));
    if (found.length === 1) claim(object, found[0]);
  }
  const namesakes = new Map(
    unmatched
      .filter((object) => !pairs.has(object))
      .map((object) => [
        object,
        (byName.get(nameOf(object)) ?? []).filter(
          (one) => free.has(one) && one.fields['type'] === object.fields['type'],
        ),
      ]),
  );
  return { pairs, namesakes, problems };
};

const hasTargetOf = (object: ConfiguredObject, existing: CurrentObject): boolean =>
  equalFields(object, existing, TARGETS[object.kind] ?? []);

/** Whether an entry and an object of the service have the same fields, except for their names. */
const hasFieldsOf = (object: ConfiguredObject, existing: CurrentObject): boolean => {
  const names = Object.keys({ ...defaultsOf(object.kind), ...object.fields });
  return equalFields(
    object,
    existing,
    names.filter((name) => name !== 'name' && name !== 'position'),
  );
};

const equalFields = (
  { kind, fields }: ConfiguredObject,
  existing: CurrentObject,
  names: readonly string[],
): boolean => {
  const wanted = normalised(kind, { ...defaultsOf(kind), ...fields });
  return names.every((name) => canonicalJson(wanted[name] ?? null) === canonicalJson(existing.fields[name] ?? null));
};

const ambiguous = ({ kind, path }: ConfiguredObject, name: string): Problem => ({
  path: [...path, 'formerly'],
  sentence: `Several ${IDENTITIES[kind].noun}s are named "${name}". Name one by { group: …, name: … }.`,
});
