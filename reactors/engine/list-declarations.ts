import type { AnyProjection, Collections, DocumentOf, Projection } from '../../projections/engine/fold/define.ts';
import type { CollectionReader, Read } from '../../projections/readers.ts';
import type { AppendedPositions } from '../../commands/engine/appended-positions.ts';
import { countWaitingChanges, createChangeWork, type ChangeOptions } from './changes.ts';
import type { ReactorList } from './define.ts';
import { countDueItems, createDueWork, type DueContext, type DueOptions } from './due.ts';
import { countDueElsewhere, createDueElsewhereWork, type DueElsewhereOptions } from './due-elsewhere.ts';
import { changeList, dueList, type ChangeList, type DueItem, type DueList, type ListItem } from './lists.ts';
import { paceWork } from './paced-work.ts';
import type { ItemContext } from './work.ts';

/** Names of the collections whose documents are of type `Item`. */
export type ListsIn<C extends Collections, Item> = {
  [N in keyof C]: DocumentOf<C[N]> extends Item ? N : never;
}[keyof C] &
  string;

/** Type of the documents of collection `N`. */
export type ItemIn<C extends Collections, N extends keyof C, Item> = Extract<DocumentOf<C[N]>, Item>;

/** Pacing for a list that changes constantly. */
interface Spacing {
  /** minimum time between two reads of the list, in milliseconds; default: 0 */
  spacing?: number;
}

const readerOf = <Item extends ListItem>(
  read: Read,
  projection: AnyProjection,
  collection: string,
): CollectionReader<Item> => read(projection)[collection] as unknown as CollectionReader<Item>;

/** Same as {@link changed}, but the caller states the document type of the collection. */
export const changes = <Item extends ListItem>(
  projection: AnyProjection,
  collection: string,
  { spacing, ...options }: ChangeOptions<Item> & Spacing,
): ReactorList<Item, ItemContext, ChangeList<Item>> => ({
  projection,
  collections: [collection],
  waiting: (read) => countWaitingChanges(changeList(readerOf<Item>(read, projection, collection)), options),
  reader: ({ read }) => changeList(readerOf<Item>(read, projection, collection)),
  work: (name, { todo, reader }, act) => {
    const work = createChangeWork(name, todo, reader, act, options);
    return spacing === undefined ? work : paceWork(work, spacing);
  },
});

/**
 * Declares a list whose items must be done whenever they change. Outcomes do not remove items from the list. Example:
 * verdicts of checks, whose outcome is that a check goes down.
 *
 * @param collection with an index of `changed_position`
 */
export const changed = <C extends Collections, N extends ListsIn<C, ListItem>>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  collection: N,
  options: ChangeOptions<ItemIn<C, N, ListItem>> & Spacing = {},
): ReactorList<ItemIn<C, N, ListItem>, ItemContext, ChangeList<ItemIn<C, N, ListItem>>> =>
  changes<ItemIn<C, N, ListItem>>(projection, collection, options);

/**
 * Declares a list whose items must be done when they are due. The resulting event is in the log of the list, and
 * removes the item or moves it to its next due time. Example: open jobs, whose runs must be queued.
 *
 * @param collection with indexes of `due_at` and `changed_position`
 */
export const due = <C extends Collections, N extends ListsIn<C, DueItem>>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  collection: N,
  options: DueOptions<ItemIn<C, N, DueItem>>,
): ReactorList<
  ItemIn<C, N, DueItem>,
  DueContext,
  (context: { appended: AppendedPositions }) => DueList<ItemIn<C, N, DueItem>>
> => {
  const listIn = (read: Read) => dueList(readerOf<ItemIn<C, N, DueItem>>(read, projection, collection));
  return {
    projection,
    collections: [collection],
    waiting: (read) => countDueItems(listIn(read)),
    reader:
      ({ readers }) =>
      ({ appended }) =>
        listIn(readers.for({ appended })),
    work: (name, { todo, reader }, act) => createDueWork(name, todo, reader, act, options),
  };
};

/**
 * Declares a list whose items must be done when they are due. The resulting event is not in the log of the list, so it
 * does not remove the item. The checkpoint is a cursor of due time and id. Example: awaited heartbeats, which go down
 * when late.
 *
 * @param collection with indexes of `due_at` and `changed_position`
 */
export const dueElsewhere = <C extends Collections, N extends ListsIn<C, DueItem>>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  collection: N,
  options: DueElsewhereOptions<ItemIn<C, N, DueItem>> = {},
): ReactorList<ItemIn<C, N, DueItem>, ItemContext, DueList<ItemIn<C, N, DueItem>>> => {
  const listIn = (read: Read) => dueList(readerOf<ItemIn<C, N, DueItem>>(read, projection, collection));
  return {
    projection,
    collections: [collection],
    waiting: (read) => countDueElsewhere(listIn(read)),
    reader: ({ read }) => listIn(read),
    work: (name, { todo, reader }, act) => createDueElsewhereWork(name, todo, reader, act, options),
  };
};
