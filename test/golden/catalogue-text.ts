import type { EventDefinition } from '../../domain/event.ts';

/** One version of one event type, as `domain/catalogue.json` and `released.json` list it. */
export interface CatalogueEntry {
  category: string;
  type: string;
  version: number;
  schema: unknown;
}

type Catalogue = Readonly<Record<string, Readonly<Record<string, EventDefinition>>>>;

/** Returns every event type of the running code in its current version, sorted by category and type. */
export const entriesOf = (catalogue: Catalogue): CatalogueEntry[] =>
  sorted(
    Object.entries(catalogue).flatMap(([category, events]) =>
      Object.entries(events).map(([type, { version, data }]) => ({
        category,
        type,
        version,
        // The conversion to JSON removes the symbol keys of TypeBox.
        schema: JSON.parse(JSON.stringify(data)) as unknown,
      })),
    ),
  );

export const sorted = (entries: readonly CatalogueEntry[]): CatalogueEntry[] => {
  const key = ({ category, type, version }: CatalogueEntry): string =>
    `${category} ${type} ${version.toString().padStart(6, '0')}`;
  return [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
};

/** Returns the text of a list of entries, as it is committed. */
export const textOf = (entries: readonly CatalogueEntry[]): string => `${JSON.stringify(entries, null, 2)}\n`;

/** Returns the name of an entry, such as `IncidentOpened@1`. */
export const nameOf = ({ type, version }: Pick<CatalogueEntry, 'type' | 'version'>): string => `${type}@${version}`;
