import type { CollectionReader } from '../../projections/readers.ts';
import type { Instant } from '../../domain/time.ts';
import type { Document, Query, Where } from '../../stores/read-store/port.ts';

/** The requested page of a list. */
export interface Paging {
  /** Page number, starting at 1. */
  page: number;
  /** Number of items per page. */
  size: number;
  /** Excludes items that are newer than this time. Only for lists that are ordered newest first. */
  until?: Instant;
}

/** One page of a list. */
export interface Listing<T> {
  items: readonly T[];
  /** Number of items in the whole list. */
  total: number;
}

/** A list whose items can be very large in total. */
export interface LongList<T> {
  /** Reads all items in order. Reads only a few at a time, when the caller needs them. */
  each: () => AsyncIterable<T>;
  /** Returns a text that changes whenever the content of the list changes. */
  version: () => Promise<string>;
}

/**
 * Returns the `skip` and `limit` of a page. Without paging, the query returns the whole list. A page number that is too
 * large for stores yields an empty page.
 */
export const skipAndLimitOf = (paging: Pick<Paging, 'page' | 'size'> | undefined): Pick<Query, 'skip' | 'limit'> => {
  if (!paging) return {};
  const skip = (paging.page - 1) * paging.size;
  return Number.isSafeInteger(skip) ? { skip, limit: paging.size } : { limit: 0 };
};

/** Reads a page of a collection. */
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

/** Adds the condition that items are not newer than a time. The first sort field must contain the time of an item. */
const notNewer = ({ where = {}, sort = {} }: Pick<Query, 'where' | 'sort'>, until: Instant): Where => {
  const [field = ''] = Object.keys(sort);
  return { $and: [where, { [field]: { $lte: until } }] };
};

/** Creates a list with a single page. */
export const singlePage = <T>(items: readonly T[]): Listing<T> => ({ items, total: items.length });

/**
 * Adds related objects to the items of a page.
 *
 * @param joining reads related objects of all items together, and returns a function that adds them to one item
 */
export const joinItems = async <D, T>(
  { items, total }: Listing<D>,
  joining: (items: readonly D[]) => Promise<(item: D) => T | Promise<T>>,
): Promise<Listing<T>> => ({ items: await Promise.all(items.map(await joining(items))), total });
