import { isDeepStrictEqual } from 'node:util';
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
