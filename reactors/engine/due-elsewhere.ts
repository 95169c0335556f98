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
  /** concurrent items; default: 64 */
  atOnce?: number;
  targets?: TargetLimits<Item>;
}

const PAGE = 500;
const AT_ONCE = 64;

/**
 * Works off items when they are due, with outcomes stored in another log, so that they do not remove items from the
 * list. Examples: a heartbeat is overdue; a check has been down for five minutes. Everything due up to the cursor, a
 * place on the list that is part of the checkpoint, is done. An item moved to before the cursor is found by the
 * position of the event that moved it.
 *
 * After a crash, some items are done twice, which must be harmless: derive the command id from the item and its
 * `changed_position`. An item is done in the state in which it was found; the command checks that this state is still
 * valid.
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
  /** a lower bound of when the next item after the cursor is due, milliseconds since 1970; Infinity: there is none */
  let dueNext = 0;
  /** items due up to here were started */
  let due = new OrderedProgress<DuePlace | null>(null);
  /** items placed before the cursor by events up to here were started */
  let placed = new OrderedProgress(0);
  let ahead: NonNullable<Checkpoint['ahead']> = [];

  const checkpoint = (): Checkpoint => ({
    activated,
    handled: placed.done,
    cursor: due.done,
    ...(ahead.length > 0 && { ahead }),
  });

  /** Whether an item still must be done: not if it is older than the reactor, or was done while the clock was ahead. */
  const isOpen = (item: Item): boolean =>
    item.changed_position > activated &&
    !ahead.some(({ upTo, position }) => item.changed_position <= position && isDueUpTo(item, upTo));

  /**
   * After the clock was set back, times repeat, and nothing must be done twice. Waits until nothing is under way, so
   * that it is known what was done.
   *
   * @returns whether the list can be read
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

  /** Starts items placed before the cursor, and updates when the others are due. */
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

  /** Starts due items, and updates when the next one is due. */
  const beginDue = async (now: number): Promise<void> => {
    for (let isLast = false; !isLast;) {
      const page = await list.due(due.at, instantOf(now), PAGE);
      isLast = page.length < PAGE;
      for (const item of page) {
        // Items beyond the folded position are found as newly placed.
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
      // Newly placed items must be known before the cursor moves.
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

/** How many items are due after the cursor, and since when. */
export const countDueElsewhere =
  <Item extends DueItem>(list: Pick<DueList<Item>, 'due' | 'countDue'>): CountWaiting =>
  async ({ checkpoint: { cursor = null }, find }, now) => {
    const at = instantOf(now);
    const items = await list.countDue(cursor, at);
    return { items, since: items === 0 ? null : await firstPendingDueTime(list, cursor, at, find) };
  };
