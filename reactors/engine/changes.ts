import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { readChangedPages } from './changed-pages.ts';
import type { ItemResult } from './item-result.ts';
import { ItemFlow } from './flow.ts';
import type { ChangeList, TodoProjection, ListItem } from './lists.ts';
import { OrderedProgress } from './ordered-progress.ts';
import type { TargetLimits } from './targets.ts';
import { UnreadTracker } from './unread.ts';
import type { ItemContext, CountWaiting, Work } from './work.ts';

export interface ChangeOptions<Item> {
  /** concurrent items; default: 64, because in a mass outage thousands change together and share commits */
  atOnce?: number;
  targets?: TargetLimits<Item>;
  /** when an item changed, if the item records it */
  changedAt?: (item: Item) => Instant;
}

const AT_ONCE = 64;

/**
 * Works off a list whose outcomes are stored in the other log, and therefore do not remove items from it: all items
 * that changed after the handled position must be done. Doing an item twice must be harmless. Different items run
 * concurrently; an item that changes meanwhile is done again afterwards. Failed items are stored separately, so that
 * the checkpoint advances.
 *
 * Reads only up to the folded position of the projection. Beyond it, a later change may be on the list before an
 * earlier one, which would then be skipped forever.
 */
export const createChangeWork = <Item extends ListItem>(
  name: string,
  todo: Pick<TodoProjection, 'folded'>,
  list: ChangeList<Item>,
  act: (item: Item, context: ItemContext) => Promise<ItemResult>,
  { atOnce = AT_ONCE, targets }: ChangeOptions<Item> = {},
): Work => {
  const flow = new ItemFlow(name, act, { atOnce, keepsAll: true, ...(targets && { targets }) });
  const unread = new UnreadTracker();
  let activated = 0;
  let progress = new OrderedProgress(0);
  const checkpoint = () => ({ activated, handled: progress.done });

  /** @returns false: no more can start now */
  const begin = async (items: readonly Item[]): Promise<boolean> => {
    for (const item of items) {
      const before = positionBefore(item);
      const settled = progress.begin(before);
      if (!(await flow.offer(item, settled))) {
        settled();
        progress.at = before;
        return false;
      }
    }
    progress.at = items.at(-1)?.changed_position ?? progress.at;
    return true;
  };

  const beginChanged = async (): Promise<void> => {
    const read = unread.startRead();
    for await (const { items } of readChangedPages(list, progress.at, todo.folded())) {
      if (!(await begin(items))) return;
    }
    read();
  };

  return {
    begin: async (lease) => {
      activated = lease.checkpoint.activated;
      progress = new OrderedProgress(lease.checkpoint.handled);
      unread.reset();
      await flow.begin(lease);
    },

    written: (everything) => {
      unread.written(everything);
    },

    round: async (now) => {
      const rest = flow.pausedUntil(now);
      if (rest !== null) return { next: rest, checkpoint: checkpoint() };
      if ((await flow.retryDue(now, list.find)) && unread.isUnread) await beginChanged();
      return { next: flow.nextRetry(now), checkpoint: checkpoint() };
    },

    idle: async () => {
      await flow.idle();
      return checkpoint();
    },
  };
};

/** How many items have changed since the handled position, and when the first of them did. */
export const countWaitingChanges =
  <Item extends ListItem>(
    list: Pick<ChangeList<Item>, 'changedBetween' | 'countAfter'>,
    { changedAt }: Pick<ChangeOptions<Item>, 'changedAt'> = {},
  ): CountWaiting =>
  async ({ checkpoint: { handled } }) => {
    const [first] = await list.changedBetween(handled, Number.MAX_SAFE_INTEGER, 1);
    const since = first && changedAt ? millisecondsOf(changedAt(first)) : null;
    return { items: first ? await list.countAfter(handled) : 0, since };
  };

/** The position after which the list must be read to find an item together with all changes of the same event. */
const positionBefore = ({ changed_position }: ListItem): number => changed_position - 1;
