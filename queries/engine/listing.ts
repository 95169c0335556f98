import type { CollectionReader } from '../../projections/readers.ts';
import type { Instant } from '../../domain/time.ts';
import type { Document, Query, Where } from '../../stores/read-store/port.ts';

/** The requested page of a list. */
export interface Paging {
  /** from 1 */
  page: number;
  /** items per page */
  size: number;
  /** for a list that is newest first: only items that are not newer */
  until?: Instant;
}

/** One page of a list. */
export interface Listing<T> {
  items: readonly T[];
  /** items in the whole list */
  total: number;
}

/** A list whose items may be very large in total. */
export interface LongList<T> {
  /** Reads the items from the beginning, a few at a time, as the caller asks for them. */
  each: () => AsyncIterable<T>;
  /** Changes whenever anything that the list shows changes. */
  version: () => Promise<string>;
}

/**
 * The `skip` and `limit` of a page; undefined: the whole list. Returns an empty page beyond the numbers that stores can
 * count.
 */
export const skipAndLimitOf = (paging: Pick<Paging, 'page' | 'size'> | undefined): Pick<Query, 'skip' | 'limit'> => {
  if (!paging) return {};
  const skip = (paging.page - 1) * paging.size;
  return Number.isSafeInteger(skip) ? { skip, limit: paging.size } : { limit: 0 };
};

/** One page of a collection. */
export const readListing = async <D extends Document>(
  reader: Pick<CollectionReader<D>, 'find' | 'count'>,
  select: Pick<Query, 'where' | 'sort'>,
  { until, ...paging }: Paging,
): Promise<Listing<D>> => {
  const where = until === undefined ? select.where : notNewer(select, until);
  const [items, total] = await Promise.all([
    reader.find({ ...select, ...(where && { where }), ...skipAndLimitOf(paging) }),
    reader.count(where),
  ]);
  return { items, total };
};

/** Requires that the list is sorted first by the time in question. */
const notNewer = ({ where = {}, sort = {} }: Pick<Query, 'where' | 'sort'>, until: Instant): Where => {
  const [field = ''] = Object.keys(sort);
  return { $and: [where, { [field]: { $lte: until } }] };
};

/** A list that has only one page. */
export const singlePage = <T>(items: readonly T[]): Listing<T> => ({ items, total: items.length });

/**
 * The same page, each item joined with its related objects.
 *
 * @param joining reads what it can for all items together, and returns the function that joins one
 */
export const joinItems = async <D, T>(
  { items, total }: Listing<D>,
  joining: (items: readonly D[]) => Promise<(item: D) => T | Promise<T>>,
): Promise<Listing<T>> => ({ items: await Promise.all(items.map(await joining(items))), total });
