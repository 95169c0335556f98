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

/** Where a page stands in its list; that of no page is the whole list. Empty beyond what any store can count. */
export const placeOf = (paging: Pick<Paging, 'page' | 'size'> | undefined): Pick<Query, 'skip' | 'limit'> => {
  if (!paging) return {};
  const skip = (paging.page - 1) * paging.size;
  return Number.isSafeInteger(skip) ? { skip, limit: paging.size } : { limit: 0 };
};

/** One page of a collection. */
export const listing = async <D extends Document>(
  reader: Pick<CollectionReader<D>, 'find' | 'count'>,
  select: Pick<Query, 'where' | 'sort'>,
  { until, ...paging }: Paging,
): Promise<Listing<D>> => {
  const where = until === undefined ? select.where : notNewer(select, until);
  const [items, total] = await Promise.all([
    reader.find({ ...select, ...(where && { where }), ...placeOf(paging) }),
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
