import type { ChangeList, ListItem } from './lists.ts';

const PAGE = 500;

/** A page of changed items. After it, all changes up to a position have been returned. */
export interface ChangedPage<Item> {
  items: Item[];
  upTo: number;
}

/**
 * Items of a list that changed after one position and up to another, oldest change first. A page never splits the items
 * changed by one event.
 *
 * @param upTo a position up to which the list shows every event's changes
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
      // One event changed more items than fit a page.
      limit *= 2;
      continue;
    }
    from = isLast ? upTo : (items.at(-1)?.changed_position ?? from);
    yield { items, upTo: from };
  }
}

/** The page without the items of its last position, some of which may be on the next page. */
const wholePositions = <Item extends ListItem>(page: readonly Item[]): Item[] => {
  const last = page.at(-1)?.changed_position;
  return page.filter(({ changed_position }) => changed_position !== last);
};
