import { noSuch } from '../domain/lifecycle.ts';
import type { CollectionReader, Read } from '../projections/readers.ts';
import type { Document, Query } from '../stores/read-store/port.ts';
import { listing, type Listing, type Paging } from './listing.ts';
import type { Reading } from './scope.ts';

interface Owned extends Document {
  organization_id: string;
}

/**
 * The documents of a collection by organization, where nothing more is asked of them. What was deleted has no document.
 *
 * @param of the collection
 * @param what one is called in sentences: `note`
 */
export const ownDocuments = <D extends Owned>(of: (read: Read) => CollectionReader<D>, what: string) => ({
  /** @throws NotFound */
  find: async ({ read, organizationId }: Reading, id: string): Promise<D> => {
    const document = await of(read).get(id);
    if (document?.organization_id !== organizationId) throw noSuch(what);
    return document;
  },

  list: (
    { read, organizationId }: Reading,
    { where, sort }: Pick<Query, 'where' | 'sort'>,
    paging: Paging,
  ): Promise<Listing<D>> =>
    listing(of(read), { where: { ...where, organization_id: organizationId }, ...(sort && { sort }) }, paging),
});
