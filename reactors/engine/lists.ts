import type { Instant } from '../../domain/time.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { Where } from '../../stores/read-store/port.ts';

/** An item of a reactor's list. */
export interface ListItem {
  id: string;
  /** position of the event that put the item into its present state on the list */
  changed_position: number;
}

/** The progress of a list. Positions are those of its projection's log. */
export interface TodoProjection {
  /** position that the projection has folded; null: it is not at the head of its log */
  position: () => number | null;
  /**
   * Up to here the list certainly shows the changes of every event, even if its documents are written one by one or
   * nothing folds now; 0: unknown.
   */
  folded: () => number;
  /**
   * Calls back when documents of the list were written, which `folded` then covers, and when the projection reaches or
   * leaves the head of its log. `everything`: any document may have changed, for example after a rebuild.
   *
   * @returns ends the watch
   */
  watch: (written: (everything: boolean) => void) => () => void;
  /**
   * Calls back once, when the list certainly shows the changes of all events up to a position. @returns cancels that
   */
  passed: (position: number, callback: () => void) => () => void;
}

/** A list whose items must be done whenever they change. */
export interface ChangeList<Item extends ListItem> {
  /** up to `limit` items that changed after one position and up to another, oldest change first */
  changedBetween: (after: number, upTo: number, limit: number) => Promise<Item[]>;
  /** those of the items that are on the list, in any order */
  find: (ids: readonly string[]) => Promise<Item[]>;
  /** how many items changed after a position */
  countAfter: (position: number) => Promise<number>;
}

/** An item that must be done when it is due. */
export interface DueItem extends ListItem {
  due_at: Instant;
}

/** A place in due order. No two items share a place. */
export interface DuePlace {
  due_at: Instant;
  id: string;
}

/** A list whose items must be done when they are due. */
export interface DueList<Item extends DueItem> {
  /** up to `limit` items due after a place (null: from the first on) and up to an instant, in order */
  due: (after: DuePlace | null, upTo: Instant, limit: number) => Promise<Item[]>;
  /** when the first item after a place is due; null: there is none */
  next: (after: DuePlace | null) => Promise<Instant | null>;
  /** how many items are due after a place and up to an instant */
  countDue: (after: DuePlace | null, upTo: Instant) => Promise<number>;
  /** up to `limit` items placed by events after one position and up to another, oldest first */
  changedBetween: (after: number, upTo: number, limit: number) => Promise<Item[]>;
  /** those of the items that are on the list, in any order */
  find: (ids: readonly string[]) => Promise<Item[]>;
}

/** A collection with an index of `changed_position`, as a list. */
export const changeList = <D extends ListItem>(reader: CollectionReader<D>): ChangeList<D> => ({
  changedBetween: (after, upTo, limit) =>
    reader.find({ where: { changed_position: { $gt: after, $lte: upTo } }, sort: { changed_position: 1 }, limit }),
  find: (ids) => reader.getMany(ids),
  countAfter: (position) => reader.count({ changed_position: { $gt: position } }),
});

/**
 * A collection with indexes of `due_at` and `changed_position`, as a list. `changed_position` is that of the event that
 * put the item on the list or changed its due time.
 */
export const dueList = <D extends DueItem>(reader: CollectionReader<D>): DueList<D> => {
  const due = dueAmong(reader, {});
  const { changedBetween, find: findByIds } = changeList(reader);
  return {
    due,
    next: async (after) => (await due(after, LAST_INSTANT, 1))[0]?.due_at ?? null,
    countDue: async (after, upTo) => {
      if (!after) return reader.count({ due_at: { $lte: upTo } });
      const { due_at, id } = after;
      const sameInstant = due_at <= upTo ? await reader.count({ due_at, id: { $gt: id } }) : 0;
      return sameInstant + (await reader.count({ due_at: { $gt: due_at, $lte: upTo } }));
    },
    changedBetween,
    find: findByIds,
  };
};

/** Due items among those that match the conditions. An index must have the fields of the conditions before `due_at`. */
export const dueAmong = <D extends DueItem>(reader: CollectionReader<D>, among: Where): DueList<D>['due'] => {
  const find = (where: Where, limit: number): Promise<D[]> =>
    reader.find({ where: { ...among, ...where }, sort: { due_at: 1 }, limit });
  return async (after, upTo, limit) => {
    if (!after) return find({ due_at: { $lte: upTo } }, limit);
    // Two queries that use an index: the rest of one instant, and everything due later.
    const { due_at, id } = after;
    const sameInstant = due_at <= upTo ? await find({ due_at, id: { $gt: id } }, limit) : [];
    const left = limit - sameInstant.length;
    return left === 0 ? sameInstant : [...sameInstant, ...(await find({ due_at: { $gt: due_at, $lte: upTo } }, left))];
  };
};

/** Nothing is due later. */
export const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999999';

/** Whether an item is due at or before a place. */
export const isDueUpTo = (item: DuePlace, place: DuePlace | null): boolean =>
  place !== null && (item.due_at < place.due_at || (item.due_at === place.due_at && item.id <= place.id));
