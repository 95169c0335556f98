import type { CollectionReader } from '../projections/readers.ts';
import type { Document, Query } from '../stores/read-store/port.ts';

/** Which page of a list is meant. */
export interface Paging {
  /** from 1 */
  page: number;
  /** how many items a page has */
  size: number;
}

/** One page of a list. */
export interface Listing<T> {
  items: readonly T[];
  /** how many the whole list has */
  total: number;
}

/** One page of what a collection holds. */
export const listing = async <D extends Document>(
  reader: Pick<CollectionReader<D>, 'find' | 'count'>,
  select: Pick<Query, 'where' | 'sort'>,
  { page, size }: Paging,
): Promise<Listing<D>> => {
  const skip = (page - 1) * size;
  const [items, total] = await Promise.all([
    // No collection reaches that far, and no store can count so far.
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
 * @param joining reads what it can for all of them at once, and gives what joins one
 */
export const joined = async <D, T>(
  { items, total }: Listing<D>,
  joining: (items: readonly D[]) => Promise<(item: D) => T | Promise<T>>,
): Promise<Listing<T>> => ({ items: await Promise.all(items.map(await joining(items))), total });
