import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { changedPages } from './changed-pages.ts';
import type { Checkpoint } from './checkpoint.ts';
import { firstOf } from './due.ts';
import type { Ending } from './ending.ts';
import { Flow } from './flow.ts';
import { isUpTo, type DueItem, type DueList, type Place, type TodoProjection } from './lists.ts';
import { Progress } from './progress.ts';
import type { TargetLimits } from './targets.ts';
import { Unread } from './unread.ts';
import type { ItemContext, LookAtWaiting, Work } from './work.ts';

export interface DueElsewhereOptions<Item> {
  /** how many items at a time; default: 64 */
  atOnce?: number;
  targets?: TargetLimits<Item>;
}

const PAGE = 500;
const AT_ONCE = 64;

/**
 * Work that is done when it is due, but whose outcome is stored in another log and takes nothing off the list: a
 * heartbeat is overdue, or a check has been down for five minutes. Everything due up to the cursor, a place on the list
 * that the checkpoint holds, is done. An item moved to before the cursor is found by the position of the event that
 * moved it.
 *
 * After a crash some items are done twice, which must do no harm: derive the command id from the item and its
 * `changed_position`. An item is done as it was when it was found; the command checks whether that still holds.
 */
export const elsewhereWork = <Item extends DueItem>(
  name: string,
  todo: Pick<TodoProjection, 'folded'>,
  list: DueList<Item>,
  act: (item: Item, context: ItemContext) => Promise<Ending>,
  { atOnce = AT_ONCE, targets }: DueElsewhereOptions<Item> = {},
): Work => {
  const flow = new Flow(name, act, { atOnce, keepsAll: true, ...(targets && { targets }) });
  const unread = new Unread();
  let activated = 0;
  /** when the earliest item after the cursor is due, or earlier, milliseconds since 1970; Infinity: there is none */
  let dueNext = 0;
  /** what was due up to here was begun */
  let due = new Progress<Place | null>(null);
  /** items that events up to here have placed before the cursor were begun */
  let placed = new Progress(0);
  let ahead: NonNullable<Checkpoint['ahead']> = [];

  const checkpoint = (): Checkpoint => ({
    activated,
    handled: placed.done,
    cursor: due.done,
    ...(ahead.length > 0 && { ahead }),
  });

  /** Whether an item still has to be done: not if it came before the reactor, or was done while the clock was ahead. */
  const isOpen = (item: Item): boolean =>
    item.changed_position > activated &&
    !ahead.some(({ upTo, position }) => item.changed_position <= position && isUpTo(item, upTo));

  /**
   * A clock that was set back reaches its old time once more, and nothing must be done again then. Waits until nothing
   * is under way, so that it is known what was done.
   *
   * @returns whether the list can be read
   */
  const goBack = async (now: number): Promise<boolean> => {
    const cursor = due.at;
    if (!cursor || cursor.due_at <= instantOf(now)) return true;
    await flow.idle();
    if (!due.isSettled || !placed.isSettled) return false;
    ahead = [...ahead, { upTo: cursor, position: placed.at }];
    due = new Progress<Place | null>({ due_at: instantOf(now), id: '' });
    dueNext = 0;
    return true;
  };

  /** Begins items that were placed before the cursor, and learns when the others are due. */
  const beginPlaced = async (): Promise<boolean> => {
    const read = unread.reading();
    if (unread.isUnknown) dueNext = 0;
    for await (const { items, upTo } of changedPages(list, placed.at, todo.folded())) {
      for (const item of items) {
        if (!isUpTo(item, due.at)) dueNext = Math.min(dueNext, millisecondsOf(item.due_at));
        if (!isOpen(item) || !isUpTo(item, due.at)) continue;
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

  /** Begins what is due now, and learns when the next item is. */
  const beginDue = async (now: number): Promise<void> => {
    for (let isLast = false; !isLast;) {
      const page = await list.due(due.at, instantOf(now), PAGE);
      isLast = page.length < PAGE;
      for (const item of page) {
        // Items that are not certainly folded are found as newly placed.
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
    ahead = ahead.filter(({ upTo }) => !isUpTo(upTo, due.at));
    const later = await list.next(due.at);
    dueNext = later === null ? Infinity : millisecondsOf(later);
  };

  return {
    begin: async (shift) => {
      const { checkpoint: begun } = shift;
      activated = begun.activated;
      due = new Progress<Place | null>(begun.cursor ?? null);
      placed = new Progress(begun.handled);
      ahead = begun.ahead ?? [];
      dueNext = 0;
      unread.reset();
      await flow.begin(shift);
    },

    written: (everything) => {
      unread.written(everything);
    },

    round: async (now) => {
      const rest = flow.restsUntil(now);
      if (rest !== null) return { next: rest, checkpoint: checkpoint() };
      const goesOn =
        (await flow.retryDue(now, list.find)) && (await goBack(now)) && (!unread.isUnread || (await beginPlaced()));
      // What was placed last is known before the cursor moves.
      if (goesOn && dueNext <= now) await beginDue(now);
      const next = Math.min(dueNext, flow.next(now) ?? Infinity);
      return { next: flow.restsUntil(now) ?? (next === Infinity ? null : next), checkpoint: checkpoint() };
    },

    idle: async () => {
      await flow.idle();
      return checkpoint();
    },
  };
};

/** How much is due after the cursor, and since when. */
export const elsewhereWaiting =
  <Item extends DueItem>(list: Pick<DueList<Item>, 'due' | 'countDue'>): LookAtWaiting =>
  async ({ checkpoint: { cursor = null }, find }, now) => {
    const at = instantOf(now);
    const items = await list.countDue(cursor, at);
    return { items, since: items === 0 ? null : await firstOf(list, cursor, at, find) };
  };
