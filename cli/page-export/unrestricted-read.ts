import type { Document } from '../../stores/read-store/port.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { CollectionReader, Read } from '../../projections/readers.ts';

/** Returns a page without its access restrictions. */
const opened = <D extends Document>(page: D): D => {
  const open: Pick<PageDocument, 'passwords' | 'ip_restrictions' | 'viewers_must_be_team_members'> = {
    passwords: [],
    ip_restrictions: null,
    viewers_must_be_team_members: false,
  };
  return { ...page, ...open };
};

const openedReader = <D extends Document>(reader: CollectionReader<D>): CollectionReader<D> => ({
  ...reader,
  get: async (id) => {
    const found = await reader.get(id);
    return found && opened(found);
  },
  getMany: async (ids) => (await reader.getMany(ids)).map(opened),
  find: async (query) => (await reader.find(query)).map(opened),
});

/** Returns read models in which status pages have no access restrictions, for an export by the operator. */
export const unrestrictedRead = (read: Read): Read => {
  return ((projection: Parameters<Read>[0]) => {
    const reader = read(projection);
    if (projection.name !== pages.name) return reader;
    const collections = Object.entries<CollectionReader<Document>>(
      reader as Record<string, CollectionReader<Document>>,
    );
    return Object.fromEntries(
      collections.map(([name, collection]) => [name, name === 'pages' ? openedReader(collection) : collection]),
    );
  }) as Read;
};
