import type { ChangeList, ListItem } from './lists.ts';

const PAGE = 500;

/** Some of the changed items; after them, everything that changed up to a position has been given. */
export interface ChangedPage<Item> {
  items: Item[];
  upTo: number;
}

/**
 * Items of a list that changed after one position and up to another, in the order of the changes. A page ends between
 * two events, never among the items that one event has changed.
 *
 * @param upTo a position up to which the list shows what every event has changed
 */
export async function* changedPages<Item extends ListItem>(
  list: Pick<ChangeList<Item>, 'changedBetween'>,
  after: number,
  upTo: number,
): AsyncIterable<ChangedPage<Item>> {
  for (let from = after, limit = PAGE; from < upTo;) {
    const page = await list.changedBetween(from, upTo, limit);
    const isLast = page.length < limit;
    const items = isLast ? page : wholePositions(page);
    if (items.length === 0 && !isLast) {
      // One event has changed more items than a page holds.
      limit *= 2;
      continue;
    }
    from = isLast ? upTo : (items.at(-1)?.changed_position ?? from);
    yield { items, upTo: from };
  }
}

/** Without the items of the last position, some of which may be on the next page. */
const wholePositions = <Item extends ListItem>(page: readonly Item[]): Item[] => {
  const last = page.at(-1)?.changed_position;
  return page.filter(({ changed_position }) => changed_position !== last);
};
