import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { readChangedPages } from './changed-pages.ts';
import type { Checkpoint } from './checkpoint.ts';
import { firstPendingDueTime } from './due.ts';
import type { ItemResult } from './item-result.ts';
import { ItemFlow } from './flow.ts';
import { isDueUpTo, type DueItem, type DueList, type DuePlace, type TodoProjection } from './lists.ts';
import { OrderedProgress } from './ordered-progress.ts';
import type { TargetLimits } from './targets.ts';
import { UnreadTracker } from './unread.ts';
import type { ItemContext, CountWaiting, Work } from './work.ts';

export interface DueElsewhereOptions<Item> {
  /** number of concurrent items; default: 64 */
  atOnce?: number;
  targets?: TargetLimits<Item>;
}

const PAGE = 500;
const AT_ONCE = 64;

/**
 * Handles the items of a list when they are due. Handling an item does not remove it from the list, because its outcome
 * is not stored in the log of the list. Example: an overdue heartbeat is marked as down. The checkpoint contains a
 * cursor, which is a place in due order: all items due up to the cursor are done. If an event adds an item before the
 * cursor or moves an item there, the item is found by the position of that event.
 *
 * After a crash, some items are handled twice. To make this harmless, derive the command id from the item's id and its
 * `changed_position`. The state of an item can change after it was read, so its command must check that this state is
 * still valid.
 */
export const createDueElsewhereWork = <Item extends DueItem>(
  name: string,
  todo: Pick<TodoProjection, 'folded'>,
  list: DueList<Item>,
  act: (item: Item, context: ItemContext) => Promise<ItemResult>,
  { atOnce = AT_ONCE, targets }: DueElsewhereOptions<Item> = {},
): Work => {
  const flow = new ItemFlow(name, act, { atOnce, keepsAll: true, ...(targets && { targets }) });
  const unread = new UnreadTracker();
  let activated = 0;
  /** no item after the cursor is due earlier than this, milliseconds since 1970; Infinity if no item follows */
  let dueNext = 0;
  /** the cursor: all items due up to here were started */
  let due = new OrderedProgress<DuePlace | null>(null);
  /**
   * all events up to this position were searched for items added before the cursor or moved there, and these items were
   * started
   */
  let placed = new OrderedProgress(0);
  let ahead: NonNullable<Checkpoint['ahead']> = [];

  const checkpoint = (): Checkpoint => ({
    activated,
    handled: placed.done,
    cursor: due.done,
    ...(ahead.length > 0 && { ahead }),
  });

  /**
   * Returns whether an item must be handled. Returns false if it is from before the reactor was first active, or if it
   * was already done while the clock was ahead.
   */
  const isOpen = (item: Item): boolean =>
    item.changed_position > activated &&
    !ahead.some(({ upTo, position }) => item.changed_position <= position && isDueUpTo(item, upTo));

  /**
   * If the clock was set back, moves the cursor back to the present. Records the items done so far in `ahead`, so that
   * they are not repeated when they become due again. First waits until no item is under way.
   *
   * @returns false if the list must not be read, because some items are not done
   */
  const goBack = async (now: number): Promise<boolean> => {
    const cursor = due.at;
    if (!cursor || cursor.due_at <= instantOf(now)) return true;
    await flow.idle();
    if (!due.isSettled || !placed.isSettled) return false;
    ahead = [...ahead, { upTo: cursor, position: placed.at }];
    due = new OrderedProgress<DuePlace | null>({ due_at: instantOf(now), id: '' });
    dueNext = 0;
    return true;
  };

  /**
   * Reads items that were added or moved since the previous read. Starts those due before the cursor, and updates
   * `dueNext` for the others. @returns false if nothing can start now
   */
  const beginPlaced = async (): Promise<boolean> => {
    const read = unread.startRead();
    if (unread.isUnknown) dueNext = 0;
    for await (const { items, upTo } of readChangedPages(list, placed.at, todo.folded())) {
      for (const item of items) {
        if (!isDueUpTo(item, due.at)) dueNext = Math.min(dueNext, millisecondsOf(item.due_at));
        if (!isOpen(item) || !isDueUpTo(item, due.at)) continue;
        const before = item.changed_position - 1;
        const settled = placed.begin(before);
        if (await flow.offer(item, settled)) continue;
        settled();
        placed.at = before;
        return false;
      }
      placed.at = upTo;
    }
    read();
    return true;
  };

  /** Starts due items, and updates `dueNext`. */
  const beginDue = async (now: number): Promise<void> => {
    for (let isLast = false; !isLast;) {
      const page = await list.due(due.at, instantOf(now), PAGE);
      isLast = page.length < PAGE;
      for (const item of page) {
        // Skip items changed after the position that was read: `beginPlaced` finds them in the next round.
        if (isOpen(item) && item.changed_position <= placed.at) {
          const settled = due.begin(due.at);
          if (!(await flow.offer(item, settled))) {
            settled();
            return;
          }
        }
        due.at = { due_at: item.due_at, id: item.id };
      }
    }
    ahead = ahead.filter(({ upTo }) => !isDueUpTo(upTo, due.at));
    const later = await list.next(due.at);
    dueNext = later === null ? Infinity : millisecondsOf(later);
  };

  return {
    begin: async (lease) => {
      const { checkpoint: begun } = lease;
      activated = begun.activated;
      due = new OrderedProgress<DuePlace | null>(begun.cursor ?? null);
      placed = new OrderedProgress(begun.handled);
      ahead = begun.ahead ?? [];
      dueNext = 0;
      unread.reset();
      await flow.begin(lease);
    },

    written: (everything) => {
      unread.written(everything);
    },

    round: async (now) => {
      const rest = flow.pausedUntil(now);
      if (rest !== null) return { next: rest, checkpoint: checkpoint() };
      const goesOn =
        (await flow.retryDue(now, list.find)) && (await goBack(now)) && (!unread.isUnread || (await beginPlaced()));
      // The cursor must not move before `beginPlaced` has read all changes.
      if (goesOn && dueNext <= now) await beginDue(now);
      const next = Math.min(dueNext, flow.nextRetry(now) ?? Infinity);
      return { next: flow.pausedUntil(now) ?? (next === Infinity ? null : next), checkpoint: checkpoint() };
    },

    idle: async () => {
      await flow.idle();
      return checkpoint();
    },
  };
};

/** Counts the items due after the cursor, and returns the due time of the first of them. */
export const countDueElsewhere =
  <Item extends DueItem>(list: Pick<DueList<Item>, 'due' | 'countDue'>): CountWaiting =>
  async ({ checkpoint: { cursor = null }, find }, now) => {
    const at = instantOf(now);
    const items = await list.countDue(cursor, at);
    return { items, since: items === 0 ? null : await firstPendingDueTime(list, cursor, at, find) };
  };
