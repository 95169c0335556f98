import type { CollectionReader } from '../projections/readers.ts';
import type { Document, Query } from '../stores/read-store/port.ts';

/** The requested page of a list. */
export interface Paging {
  /** from 1 */
  page: number;
  /** items on a page */
  size: number;
}

/** One page of a list. */
export interface Listing<T> {
  items: readonly T[];
  /** items in the whole list */
  total: number;
}

/** One page of a collection. */
export const listing = async <D extends Document>(
  reader: Pick<CollectionReader<D>, 'find' | 'count'>,
  select: Pick<Query, 'where' | 'sort'>,
  { page, size }: Paging,
): Promise<Listing<D>> => {
  const skip = (page - 1) * size;
  const [items, total] = await Promise.all([
    // No collection is that long, and no store can count that far.
    Number.isSafeInteger(skip) ? reader.find({ ...select, skip, limit: size }) : [],
    reader.count(select.where),
  ]);
  return { items, total };
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
