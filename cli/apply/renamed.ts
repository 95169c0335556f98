import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Fields } from '../../domain/fields.ts';
import { grouped } from '../../domain/grouped.ts';
import { labelOf } from '../configuration/kinds.ts';
import type { ConfiguredObject } from '../configuration/objects.ts';
import type { Problem } from '../configuration/paths.ts';
import type { CurrentObject } from './current-objects.ts';
import { normalised } from './file-form.ts';

/** An entry with `formerly`. */
export interface Renamed {
  object: ConfiguredObject;
  /** object of the service that has the new name */
  own: CurrentObject | undefined;
  /** object of the service that has the old name */
  old: CurrentObject | undefined;
}

/** Returns the fields of the key of an entry with `formerly` that may have had other values. */
export const formerFields = ({ formerly }: ConfiguredObject): Fields =>
  typeof formerly === 'string' ? { name: formerly } : { ...formerly };

/**
 * Claims the objects of entries with `formerly`, before or after their renaming. Returns problems of the entries whose
 * `formerly` does not identify one object.
 */
export const renamedObjects = (
  entries: readonly Renamed[],
  free: ReadonlySet<CurrentObject>,
  claim: (object: ConfiguredObject, existing: CurrentObject) => void,
): Problem[] => {
  const problems: Problem[] = [];
  const waiting = new Set(entries);
  const refuse = (entry: Renamed, reason: string): void => {
    const { kind, path, fields, page } = entry.object;
    const [from, to] = [{ ...fields, ...formerFields(entry.object) }, fields].map((one) => labelOf(kind, one, page));
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

/** Counts the fields of an entry, other than its name and group, in which an object of the service differs. */
const differences = ({ kind, fields }: ConfiguredObject, existing: CurrentObject | undefined): number =>
  Object.entries(normalised(kind, fields)).filter(
    ([name, value]) =>
      name !== 'name' &&
      name !== 'group' &&
      canonicalJson(value ?? null) !== canonicalJson(existing?.fields[name] ?? null),
  ).length;
