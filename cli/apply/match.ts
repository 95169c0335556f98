import type { ObjectKind } from '../../api/configuration/entries.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Fields } from '../../domain/fields.ts';
import { grouped } from '../../domain/grouped.ts';
import type { ConfiguredObject } from '../configuration/objects.ts';
import { keyOf, labelOf } from '../configuration/kinds.ts';
import type { Problem } from '../configuration/paths.ts';
import { fileForm, normalised, type Named, type NameOf } from './file-form.ts';
import type { Shown } from './resources.ts';

/** An object of the service. */
export interface CurrentObject {
  kind: ObjectKind;
  id: string;
  /** null if the kind has no revisions */
  revision: number | null;
  managedBy: string | null;
  page: string | null;
  pageId: string | null;
  /** fields as in files. An object whose key occurs several times has its original name here */
  fields: Fields;
  /** name of the object in exports: `Shop (2)` if an older object has the same key */
  name: string;
  label: string;
  created: string;
}

/** Returns all objects of a kind, oldest first. Objects with the same key get numbered names. */
export const currentObjects = (kind: ObjectKind, shown: readonly Shown[], nameOf: NameOf): CurrentObject[] => {
  const keys = new Set<string>();
  const all = shown.map((object) => {
    const { page_id, revision, managed_by } = object;
    const isPart = kind === 'components' || kind === 'component_groups';
    return {
      object,
      fields: fileForm(kind, object, nameOf),
      page: isPart ? (nameOf(page_id)?.name ?? null) : null,
      pageId: isPart ? String(page_id) : null,
      revision: typeof revision === 'number' ? revision : null,
      managedBy: typeof managed_by === 'string' ? managed_by : null,
    };
  });
  const given = new Set(all.map(({ fields, page }) => keyOf(kind, fields, page)));
  return all.map(({ object, fields, page, ...others }) => {
    let named = fields;
    for (let n = 2; keys.has(keyOf(kind, named, page)); n++) {
      const numbered = { ...fields, name: `${object.name} (${n})` };
      // A numbered name must not be that of another object.
      if (!given.has(keyOf(kind, numbered, page))) named = numbered;
    }
    keys.add(keyOf(kind, named, page));
    return {
      kind,
      id: object.id,
      fields,
      page,
      ...others,
      name: String(named['name']),
      label: labelOf(kind, named, page),
      created: String(object['created_at']),
    };
  });
};

/** Returns how other objects refer to an object. */
export const namedAs = (kind: ObjectKind, fields: Fields, name: string, page: string | null): Named => {
  const { group } = fields;
  return { kind, name, group: typeof group === 'string' ? group : null, page };
};

/** The objects of the service that configured objects are. */
export interface Matches {
  pairs: Map<ConfiguredObject, CurrentObject>;
  /** entries with `formerly` whose object cannot be told */
  problems: Problem[];
}

/**
 * Finds the object of the service for each configured object of a kind: by its key, by its former name, or, for a check
 * or component that moves to another group, by its name.
 */
export const matched = (
  kind: ObjectKind,
  configured: readonly ConfiguredObject[],
  current: readonly CurrentObject[],
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
  const renamed = new Set(
    configured.filter(({ formerly, fields }) => formerly !== null && formerly !== fields['name']),
  );
  for (const object of configured) {
    if (!renamed.has(object)) claim(object, byKey.get(keyOf(kind, object.fields, object.page)));
  }
  const candidates = [...renamed].map((object): Renamed => {
    const { fields, page, formerly } = object;
    return {
      object,
      own: byKey.get(keyOf(kind, fields, page)),
      old: byKey.get(keyOf(kind, { ...fields, name: formerly }, page)),
    };
  });
  const problems = renamedObjects(candidates, free, claim);
  if (kind !== 'checks' && kind !== 'components') return { pairs, problems };
  const nameIn = (name: unknown, page: string | null): string => JSON.stringify([page, name]);
  const byName = grouped([...free], ({ fields, page }) => nameIn(fields['name'], page));
  for (const object of configured) {
    for (const name of [object.formerly, object.fields['name']]) {
      if (pairs.has(object) || name === null) continue;
      const found = byName.get(nameIn(name, object.page)) ?? [];
      if (found.length === 1) claim(object, found[0]);
    }
  }
  return { pairs, problems };
};

/** An entry with `formerly`. */
interface Renamed {
  object: ConfiguredObject;
  /** object of the service that has the new name */
  own: CurrentObject | undefined;
  /** object of the service that has the old name */
  old: CurrentObject | undefined;
}

/**
 * Claims the objects of entries with `formerly`, before or after their renaming. Returns the entries whose object cannot
 * be told.
 */
const renamedObjects = (
  entries: readonly Renamed[],
  free: ReadonlySet<CurrentObject>,
  claim: (object: ConfiguredObject, existing: CurrentObject) => void,
): Problem[] => {
  const problems: Problem[] = [];
  const waiting = new Set(entries);
  const refuse = (entry: Renamed, reason: string): void => {
    const { kind, path, fields, page, formerly } = entry.object;
    const [from, to] = [{ ...fields, name: formerly }, fields].map((one) => labelOf(kind, one, page));
    waiting.delete(entry);
    const sentence = `The ${from ?? ''} cannot be renamed to ${to ?? ''}: ${reason} Rename or delete one of them, or remove "formerly".`;
    problems.push({ path: [...path, 'formerly'], sentence });
  };
  for (const entry of entries) {
    const { own, old } = entry;
    if (old && !free.has(old) && !own) refuse(entry, 'The files contain the old name, too.');
  }

  // An entry with a single object claims it, which can leave a single object to others: A, B → B, C.
  const optionsOf = ({ own, old }: Renamed): CurrentObject[] =>
    [old, own].filter((one) => one !== undefined).filter((one) => free.has(one));
  for (let isDone = false; !isDone;) {
    const single = [...waiting].filter((entry) => optionsOf(entry).length === 1);
    const claims = grouped(single, (entry) => optionsOf(entry)[0]?.id ?? '');
    for (const [entry, ...others] of claims.values()) {
      const existing = entry && optionsOf(entry)[0];
      if (!existing) continue;
      if (others.length > 0) {
        for (const one of [entry, ...others]) refuse(one, `Several entries would be the ${existing.label}.`);
      } else {
        waiting.delete(entry);
        claim(entry.object, existing);
      }
    }
    isDone = claims.size === 0;
  }

  // The objects of the others have all names, such as those of a swap.
  const owners = new Map([...waiting].map((entry) => [entry.own, entry]));
  for (const first of [...waiting]) {
    if (!waiting.has(first) || optionsOf(first).length === 0) continue;
    const cycle = cycleOf(first, owners);
    const [before, after] = [cycle, cycle].map((list, n) =>
      list.reduce((sum, { object, own, old }) => sum + differences(object, n === 0 ? old : own), 0),
    ) as [number, number];
    if (cycle.length === 0) refuse(first, 'Objects with both names exist.');
    else if (before === after && after > 0) {
      for (const entry of cycle) refuse(entry, 'Objects with both names exist, and either could be the renamed one.');
    }
    for (const entry of cycle) {
      const existing = before < after ? entry.old : entry.own;
      if (waiting.delete(entry) && existing) claim(entry.object, existing);
    }
  }
  return problems;
};

/** Returns the entries that exchange their names with each other; empty if there is no such cycle. */
const cycleOf = (first: Renamed, owners: ReadonlyMap<CurrentObject | undefined, Renamed>): Renamed[] => {
  const cycle = new Set<Renamed>();
  let entry: Renamed | undefined = first;
  while (entry && !cycle.has(entry)) {
    cycle.add(entry);
    entry = owners.get(entry.old);
  }
  return entry === first ? [...cycle] : [];
};

/** Counts the fields of an entry, other than its name, in which an object of the service differs. */
const differences = ({ kind, fields }: ConfiguredObject, existing: CurrentObject | undefined): number =>
  Object.entries(normalised(kind, fields)).filter(
    ([name, value]) =>
      name !== 'name' && canonicalJson(value ?? null) !== canonicalJson(existing?.fields[name] ?? null),
  ).length;
