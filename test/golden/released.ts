import { isDeepStrictEqual } from 'node:util';
import type { EventDefinitions } from '../../domain/event.ts';
import type { Upcasters } from '../../domain/upcasters.ts';
import { nameOf, type CatalogueEntry } from './catalogue-text.ts';

/**
 * Returns the release rules that the running code breaks. The rules are: an event type is never removed and never
 * changes its category, a released version never changes its schema, and upcasters lead from each released version to
 * the current one.
 *
 * @returns one sentence for each broken rule
 */
export const releaseViolations = (
  released: readonly CatalogueEntry[],
  current: readonly CatalogueEntry[],
  upcasters: Upcasters,
): string[] =>
  released.flatMap((entry) => {
    const now = current.find(({ type }) => type === entry.type);
    const name = nameOf(entry);
    if (!now) return [`${name} was released; its type has to stay.`];
    if (now.category !== entry.category) return [`${name} was released in the category ${entry.category}.`];
    if (now.version < entry.version) return [`${name} was released; the version can't go back to ${now.version}.`];
    if (now.version === entry.version) {
      const same = isDeepStrictEqual(now.schema, entry.schema);
      return same ? [] : [`${name} was released; a change of its schema needs a new version and an upcaster.`];
    }
    return stepsAreThere(entry, now, upcasters) ? [] : [`No upcasters lead from ${name} to version ${now.version}.`];
  });

const stepsAreThere = (from: CatalogueEntry, to: CatalogueEntry, upcasters: Upcasters): boolean => {
  for (let version = from.version; version < to.version; version++) if (!upcasters[from.type]?.[version]) return false;
  return true;
};

/**
 * Returns the rules for replaced event types that the definitions break. The rules are: the types that replace a type
 * belong to its category, and a chain of replacements ends at types that are not replaced.
 *
 * @returns one sentence for each broken rule
 */
export const replacementViolations = (catalogue: Readonly<Record<string, EventDefinitions>>): string[] =>
  Object.values(catalogue).flatMap((definitions) =>
    Object.entries(definitions).flatMap(([type, { replacedBy }]) => {
      const missing = (replacedBy?.types ?? []).filter((part) => !definitions[part]);
      if (missing.length > 0)
        return missing.map((part) => `${type} is replaced by ${part}, which is not in its category.`);
      return leadsTo(type, type, definitions) ? [`${type} is replaced by itself.`] : [];
    }),
  );

const leadsTo = (from: string, to: string, definitions: EventDefinitions, seen = new Set<string>()): boolean =>
  (definitions[from]?.replacedBy?.types ?? []).some((type) => {
    if (type === to) return true;
    if (seen.has(type)) return false;
    seen.add(type);
    return leadsTo(type, to, definitions, seen);
  });
