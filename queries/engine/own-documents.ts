import { notFound } from '../../domain/existence.ts';
import type { Instant } from '../../domain/time.ts';
import type { CollectionReader, Read } from '../../projections/readers.ts';
import type { Document, Query, Where } from '../../stores/read-store/port.ts';
import { matching, type Matches } from './filters.ts';
import { readListing, type Listing, type Paging } from './listing.ts';
import type { FilterMatches } from './matching.ts';
import type { ReadScope } from './scope.ts';

interface Owned extends Document {
  organization_id: string;
  /** Present in collections that keep deleted documents. */
  deleted_at?: Instant | null;
}

interface Listed<F extends object> {
  sort: NonNullable<Query['sort']>;
  filters: Matches<F>;
  /** Additional condition on all documents. */
  where?: Where;
}

/**
 * Creates queries for the documents that an organization has in a collection. They do not find deleted documents, or
 * documents of other organizations.
 *
 * @param of returns the reader of the collection
 * @param what noun for error messages, such as `note`
 */
export const ownDocuments = <D extends Owned, F extends object = Record<never, never>>(
  of: (read: Read) => CollectionReader<D>,
  what: string,
  { sort, filters, where }: Listed<F>,
) => {
  const isThere = (document: D | null, { organizationId }: Pick<ReadScope, 'organizationId'>): document is D =>
    document?.organization_id === organizationId && (document.deleted_at ?? null) === null;

  const find = async (scope: ReadScope, id: string): Promise<D | null> => {
    const document = await of(scope.read).get(id);
    return isThere(document, scope) ? document : null;
  };

  return {
    isThere,

    /** @throws NotFound */
    one: async (scope: ReadScope, id: string): Promise<D> => {
      const document = await find(scope, id);
      if (!document) throw notFound(what);
      return document;
    },

    has: async (scope: ReadScope, id: string): Promise<boolean> => (await find(scope, id)) !== null,

    /** Returns those of the documents that exist, in the order of `ids`. */
    some: async (scope: ReadScope, ids: readonly string[]): Promise<D[]> =>
      (await of(scope.read).getMany(ids)).filter((document) => isThere(document, scope)),

    /** Returns up to `limit` ids of documents that match a filter, and the total number of matches. */
    matching: async ({ read, organizationId }: ReadScope, asked: Partial<F>, limit: number): Promise<FilterMatches> => {
      const selected = { ...where, ...matching(filters, asked), organization_id: organizationId };
      const found = await of(read).pick(['id'], { where: selected, sort, limit: limit + 1 });
      const total = found.length > limit ? await of(read).count(selected) : found.length;
      return { ids: found.slice(0, limit).map(({ id }) => id), total };
    },

    list: ({ read, organizationId }: ReadScope, asked: Partial<F>, paging: Paging): Promise<Listing<D>> =>
      readListing(
        of(read),
        { where: { ...where, ...matching(filters, asked), organization_id: organizationId }, sort },
        paging,
      ),
  };
};
