import type { CollectionReader } from '../../projections/readers.ts';
import type { Instant } from '../../domain/time.ts';
import type { Document, Query, Where } from '../../stores/read-store/port.ts';

/** The requested page of a list. */
export interface Paging {
  /** from 1 */
  page: number;
  /** items on a page */
  size: number;
  /** of a list that is newest first, only what is not newer */
  until?: Instant;
}

/** One page of a list. */
export interface Listing<T> {
  items: readonly T[];
  /** items in the whole list */
  total: number;
}

/** A list whose items together may be very long. */
export interface LongList<T> {
  /** Reads them from the beginning, a few at a time, each when it is asked for. */
  each: () => AsyncIterable<T>;
  /** Differs whenever anything that the list shows was changed. */
  version: () => Promise<string>;
}

/** One page of a collection. */
export const listing = async <D extends Document>(
  reader: Pick<CollectionReader<D>, 'find' | 'count'>,
  select: Pick<Query, 'where' | 'sort'>,
  { page, size, until }: Paging,
): Promise<Listing<D>> => {
  const skip = (page - 1) * size;
  const where = until === undefined ? select.where : notNewer(select, until);
  const [items, total] = await Promise.all([
    // No collection is that long, and no store can count that far.
    Number.isSafeInteger(skip) ? reader.find({ ...select, ...(where && { where }), skip, limit: size }) : [],
    reader.count(where),
  ]);
  return { items, total };
};

/** The time that a list is sorted by comes first in its order. */
const notNewer = ({ where = {}, sort = {} }: Pick<Query, 'where' | 'sort'>, until: Instant): Where => {
  const [field = ''] = Object.keys(sort);
  return { $and: [where, { [field]: { $lte: until } }] };
};

/** A list that has only one page. */
export const whole = <T>(items: readonly T[]): Listing<T> => ({ items, total: items.length });

/**
 * The same page, each item joined with what belongs to it.
 *
 * @param joining reads what it can for all items at once, and returns the function that joins one
 */
export const joined = async <D, T>(
  { items, total }: Listing<D>,
  joining: (items: readonly D[]) => Promise<(item: D) => T | Promise<T>>,
): Promise<Listing<T>> => ({ items: await Promise.all(items.map(await joining(items))), total });
