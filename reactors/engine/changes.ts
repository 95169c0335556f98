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
  /**
   * maximum number of concurrent items. Default: 64, because a mass outage changes thousands of items, and the commands
   * for concurrent items are committed together
   */
  atOnce?: number;
  targets?: TargetLimits<Item>;
  /** Returns when an item changed. Omitted if items do not store this time. */
  changedAt?: (item: Item) => Instant;
}

const AT_ONCE = 64;

/**
 * Handles the items of a list whenever they change. Handling an item does not remove it from the list, because its
 * outcome is not stored in the log of the list. Therefore, the checkpoint stores the position up to which all changes
 * were handled. An item might be handled twice, which must be harmless. Items are handled concurrently. If an item
 * changes while it is being handled, it is handled again. Failed items are stored separately, so they do not hold up
 * the checkpoint.
 *
 * Reads only up to the folded position of the projection. Beyond that position, the list might show a later change
 * before an earlier one, and the earlier one would be skipped for ever.
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

  /** Starts items in order. @returns false if nothing can start now */
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

/** Counts the items that have changed after the checkpoint, and returns when the earliest of these changes happened. */
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

/**
 * Returns the position after which the list must be read to find the item, and all other items that its event changed.
 */
const positionBefore = ({ changed_position }: ListItem): number => changed_position - 1;
