import type { ChangeList, ListItem } from './lists.ts';

const PAGE = 500;

/** A page of changed items. With this page, all changes up to position `upTo` have been returned. */
export interface ChangedPage<Item> {
  items: Item[];
  upTo: number;
}

/**
 * Yields pages of the items that changed at positions above `after` and up to `upTo`, oldest change first. Items that
 * one event changed are always on the same page.
 *
 * @param upTo a position that the list has folded, so that it shows the changes of all events up to it
 */
export async function* readChangedPages<Item extends ListItem>(
  list: Pick<ChangeList<Item>, 'changedBetween'>,
  after: number,
  upTo: number,
): AsyncIterable<ChangedPage<Item>> {
  for (let from = after, limit = PAGE; from < upTo;) {
    const page = await list.changedBetween(from, upTo, limit);
    const isLast = page.length < limit;
    const items = isLast ? page : wholePositions(page);
    if (items.length === 0 && !isLast) {
      // One event changed more items than fit on a page.
      limit *= 2;
      continue;
    }
    from = isLast ? upTo : (items.at(-1)?.changed_position ?? from);
    yield { items, upTo: from };
  }
}

/** Returns a page without the items of its last position, because the next page might continue that position. */
const wholePositions = <Item extends ListItem>(page: readonly Item[]): Item[] => {
  const last = page.at(-1)?.changed_position;
  return page.filter(({ changed_position }) => changed_position !== last);
};
