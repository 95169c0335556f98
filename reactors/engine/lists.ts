import type { Document } from '../stores/read-store/port.ts';
import type { CollectionReader } from './readers.ts';

/** The to-do list of a reactor whose items are to be done whenever they have changed. */
export const changeList = <D extends Document & { changed_position: number }>(reader: CollectionReader<D>) => ({
  changedBetween: (after: number, upTo: number, limit: number): Promise<D[]> =>
    reader.find({ where: { changed_position: { $gt: after, $lte: upTo } }, sort: { changed_position: 1 }, limit }),
});

/** What of a to-do list is looked at: what came on it after a position, but for some. */
interface DueQuery {
  after: number;
  but: readonly string[];
}

/**
 * The to-do list of a reactor whose items are to be done when they are due. `added_position` is that of
 * the event that put the item on the list.
 */
export const dueList = <D extends Document & { due_at: string; added_position: number }>(
  reader: CollectionReader<D>,
) => {
  const where = ({ after, but }: DueQuery) => ({ id: { $nin: but }, added_position: { $gt: after } });
  return {
    due: (at: string, query: DueQuery, limit: number): Promise<D[]> =>
      reader.find({ where: { ...where(query), due_at: { $lte: at } }, sort: { due_at: 1 }, limit }),
    notBefore: (at: string, query: DueQuery, limit: number): Promise<D[]> =>
      reader.find({ where: { ...where(query), due_at: { $gte: at } }, sort: { due_at: 1 }, limit }),
    next: async (query: DueQuery): Promise<string | null> =>
      (await reader.find({ where: where(query), sort: { due_at: 1 }, limit: 1 }))[0]?.due_at ?? null,
  };
};
