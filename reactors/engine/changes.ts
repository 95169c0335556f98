import { Attempts, tellFailed } from './attempts.ts';
import type { ReactorLog, TodoProjection, Work } from './loop.ts';
import { sideBySide } from './side-by-side.ts';

/** An item that is to be done whenever it has changed. */
export interface ChangeItem {
  id: string;
  /** position of the event that changed it */
  changed_position: number;
}

export interface ChangeList<Item extends ChangeItem> {
  /** at most `limit` items that changed after a position and not after another one, the oldest change first */
  changedBetween: (after: number, upTo: number, limit: number) => Promise<Item[]>;
}

const PAGE = 500;
/** Items done at once: in a mass outage thousands change together, and their appends share commits. */
const AT_ONCE = 64;

/**
 * Work whose outcome takes nothing off the list, since it stands in the other log: what has changed
 * after the handled position is to be done. Doing an item twice must do no harm. Different items are
 * done side by side; one that changes again is done again after it was done.
 *
 * Nothing is taken from beyond what the projection has folded: there a later change may be on the list before an
 * earlier one, which would then be passed over for ever.
 */
export const changeWork = <Item extends ChangeItem>(
  name: string,
  todo: Pick<TodoProjection, 'folded'>,
  list: ChangeList<Item>,
  act: (item: Item) => Promise<void>,
): Work => {
  const attempts = new Attempts<Item>();
  let seen = 0;

  const attempt = async (item: Item, now: number, log: ReactorLog): Promise<void> => {
    try {
      await act(item);
      attempts.settled(item.id);
    } catch (error) {
      tellFailed(log, name, attempts.failed(item, now, error), error);
    }
  };

  return {
    begin: (memory) => {
      seen = memory.handled;
    },

    round: async (now, log, signal) => {
      const ended = (): boolean => signal.aborted;
      const attemptEach = (items: readonly Item[]): Promise<number> =>
        sideBySide(items, AT_ONCE, ended, (item) => attempt(item, now, log));
      await attemptEach(attempts.due(now));
      const folded = todo.folded();
      for (let limit = PAGE, more = folded > seen; more && !ended();) {
        const page = await list.changedBetween(seen, folded, limit);
        more = page.length === limit;
        const items = more ? wholePositions(page) : page;
        const done = await attemptEach(items);
        const next = items[done];
        seen = next ? positionBefore(next) : (items.at(-1)?.changed_position ?? seen);
        // One event has changed more items than a page holds.
        if (more && items.length === 0) limit *= 2;
      }
      const handled = attempts.all.reduce((least, { item }) => Math.min(least, positionBefore(item)), seen);
      return { next: attempts.next, handled };
    },
  };
};

/** Where the list is to be read from so that an item is on it, with all that the same event has changed. */
const positionBefore = ({ changed_position }: ChangeItem): number => changed_position - 1;

/** Without the items of the last position, some of which may be on the next page. */
const wholePositions = <Item extends ChangeItem>(page: readonly Item[]): Item[] => {
  const last = page.at(-1)?.changed_position;
  return page.filter(({ changed_position }) => changed_position !== last);
};
