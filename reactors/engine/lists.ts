import type { Instant } from '../../domain/time.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { Where } from '../../stores/read-store/port.ts';

/** An item of a reactor's list. */
export interface ListItem {
  id: string;
  /** position of the event that put the item into its present state on the list */
  changed_position: number;
}

/** The progress of a projection that contains a list. Positions are positions in the log of the projection. */
export interface TodoProjection {
  /** Returns the position that the projection has folded. Null if the projection is not live (still catching up). */
  position: () => number | null;
  /**
   * Returns the position up to which the list shows the changes of all events. This is true even in a store that writes
   * documents one by one, and while no process folds. 0 if unknown.
   */
  folded: () => number;
  /**
   * Calls `written` after documents of the list were written (`folded` then includes them), and when the projection
   * becomes live or stops being live. `everything` is true if any document might have changed, for example after a
   * rebuild.
   *
   * @returns a function that ends the watch
   */
  watch: (written: (everything: boolean) => void) => () => void;
  /**
   * Calls back one time, when the list shows the changes of all events up to a position. @returns a function that
   * cancels the callback
   */
  passed: (position: number, callback: () => void) => () => void;
}

/** A list whose items must be done whenever they change. */
export interface ChangeList<Item extends ListItem> {
  /** Returns up to `limit` items that changed at positions above `after` and up to `upTo`, oldest change first. */
  changedBetween: (after: number, upTo: number, limit: number) => Promise<Item[]>;
  /** Returns those items with these ids that are on the list, in any order. */
  find: (ids: readonly string[]) => Promise<Item[]>;
  /** Counts the items that changed after a position. */
  countAfter: (position: number) => Promise<number>;
}

/** An item that must be done when it is due. */
export interface DueItem extends ListItem {
  due_at: Instant;
}

/** A place in the order of due times. Items due at the same instant are ordered by id, so no two share a place. */
export interface DuePlace {
  due_at: Instant;
  id: string;
}

/** A list whose items must be done when they are due. */
export interface DueList<Item extends DueItem> {
  /** Returns up to `limit` items due after `after` (null: from the first item) and up to `upTo`, in due order. */
  due: (after: DuePlace | null, upTo: Instant, limit: number) => Promise<Item[]>;
  /** Returns when the first item after a place is due. Null if there is none. */
  next: (after: DuePlace | null) => Promise<Instant | null>;
  /** Counts the items due after a place and up to an instant. */
  countDue: (after: DuePlace | null, upTo: Instant) => Promise<number>;
  /**
   * Returns up to `limit` items that events at positions above `after` and up to `upTo` added or moved, oldest first.
   */
  changedBetween: (after: number, upTo: number, limit: number) => Promise<Item[]>;
  /** Returns those items with these ids that are on the list, in any order. */
  find: (ids: readonly string[]) => Promise<Item[]>;
}

/** Returns a collection as a list. It must have an index of `changed_position`. */
export const changeList = <D extends ListItem>(reader: CollectionReader<D>): ChangeList<D> => ({
  changedBetween: (after, upTo, limit) =>
    reader.find({ where: { changed_position: { $gt: after, $lte: upTo } }, sort: { changed_position: 1 }, limit }),
  find: (ids) => reader.getMany(ids),
  countAfter: (position) => reader.count({ changed_position: { $gt: position } }),
});

/**
 * Returns a collection as a list of due items. It must have indexes of `due_at` and `changed_position`. The latter is
 * the position of the event that put the item on the list or changed its due time.
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

/**
 * Returns a function that reads due items among those that match the conditions. The collection must have an index with
 * the fields of the conditions, followed by `due_at`.
 */
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

/** The latest possible due time. */
export const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999999';

/** Returns whether an item is due at or before a place. False if the place is null. */
export const isDueUpTo = (item: DuePlace, place: DuePlace | null): boolean =>
  place !== null && (item.due_at < place.due_at || (item.due_at === place.due_at && item.id <= place.id));
