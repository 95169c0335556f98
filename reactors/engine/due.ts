import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Appended, AppendedPositions } from '../../commands/engine/appended-positions.ts';
import { readChangedPages } from './changed-pages.ts';
import type { Checkpoint } from './checkpoint.ts';
import { DoneItems } from './done-items.ts';
import type { ItemResult } from './item-result.ts';
import { ItemFlow } from './flow.ts';
import { isDueUpTo, LAST_INSTANT, type DueItem, type DueList, type DuePlace, type TodoProjection } from './lists.ts';
import type { TargetLimits } from './targets.ts';
import { retrySoonIfLagging } from './lagging-lists.ts';
import { UnreadTracker } from './unread.ts';
import type { ItemContext, CountWaiting, Round, Work } from './work.ts';

/** The context of an item while it is being done. */
export interface DueContext extends ItemContext {
  /**
   * positions of the events that the handling of items has appended. Pass this object to commands, which add the
   * positions of their events. The list is read again only after it has folded these positions
   */
  appended: Appended;
}

export interface DueOptions<Item extends DueItem> {
  /** number of concurrent items; default: 1, so that each item waits for the previous one */
  atOnce?: number;
  targets?: TargetLimits<Item>;
  /**
   * The maximum time that an item is on the list before it is due, in milliseconds. If an item is due later than that,
   * a wrong clock has set its due time, and the reactor handles the item earlier ({@link waitForPostponed}). Null if
   * every due time is valid, because users choose it.
   */
  longest: number | null;
  /**
   * Returns how long to postpone an item whose due time was set by a wrong clock, in milliseconds. Returns 0 if the
   * item can start immediately, and a longer time if its work might already be under way. Default: `longest`
   */
  waitForPostponed?: (item: Item) => number;
  /** Returns whether a failed item is retried at its retry time although its state on the list has changed. */
  staysDue?: (item: Item) => boolean;
  /**
   * Called when the reactor starts. Returns a function that finds the items to be handled before all others, whether
   * due or not. While this function returns null, no item starts, and the function is called again in each round. The
   * function calls `wake` to request a round.
   */
  first?: (wake: () => void) => () => Promise<readonly Item[] | null>;
}

const PAGE = 500;

/**
 * Handles the items of a list when they are due. The resulting event is in the log of the list, and removes the item
 * from the list or moves it to its next due time.
 */
export const createDueWork = <Item extends DueItem>(
  name: string,
  todo: Pick<TodoProjection, 'folded'>,
  list: (context: { appended: AppendedPositions }) => DueList<Item>,
  act: (item: Item, context: DueContext) => Promise<ItemResult>,
  { atOnce = 1, targets, longest, waitForPostponed = () => longest ?? 0, first, staysDue }: DueOptions<Item>,
): Work => {
  const appended: Appended = new Map();
  const items = list({ appended });
  const doneItems = new DoneItems<Item>();
  const flow = new ItemFlow<Item>(
    name,
    async (item, context) => {
      const ending = await act(item, { ...context, appended });
      if (ending.end === 'done') doneItems.add(item);
      return ending;
    },
    { atOnce, keepsAll: false, ...(targets && { targets }), ...(staysDue && { staysDue }) },
  );
  const unread = new UnreadTracker();
  let checkpoint: Checkpoint = { activated: 0, handled: 0 };
  /** no item after the cursor is due earlier than this, milliseconds since 1970; Infinity if no item follows */
  let dueNext = 0;
  /**
   * all items due up to the cursor were started; if an event later adds an item before the cursor, `placed` finds the
   * item
   */
  let cursor: DuePlace | null = null;
  /** all events up to this log position were searched for items that they add or move; null before the first read */
  let placed: number | null = null;
  /** clock time of the previous round, milliseconds since 1970; 0 before the first round */
  let seen = 0;
  /** whether to search for items that a wrong clock postponed */
  let looksForPostponed = true;
  let findFirst: (() => Promise<readonly Item[] | null>) | null = null;
  /** items to be done before all others; null if not known yet */
  let firstItems: Item[] | null = null;

  /** @returns false if nothing can start now */
  const offer = async (item: Item): Promise<boolean> => {
    // The item was handled after this page was read.
    if (doneItems.has(item)) return true;
    return flow.offer(item);
  };

  const beginFirst = async (): Promise<boolean> => {
    if (!firstItems) {
      const found = findFirst ? await findFirst() : [];
      if (!found) return false;
      firstItems = [...found];
    }
    for (let item = firstItems[0]; item; item = firstItems[0]) {
      if (!(await offer(item))) return false;
      firstItems.shift();
    }
    return true;
  };

  const counts = ({ changed_position }: Item): boolean => changed_position > checkpoint.activated;

  /** Returns whether the due time of an item is so late that a wrong clock must have set it. */
  const isPostponed = (item: Item, now: number): boolean =>
    longest !== null && millisecondsOf(item.due_at) > now + longest;

  const bringForward = async (item: Item, now: number): Promise<boolean> => {
    if (waitForPostponed(item) === 0) return offer(item);
    await flow.postpone(item, now + waitForPostponed(item));
    return true;
  };

  /** Finds items whose due time was set while the clock was ahead, and starts them before that time. */
  const findPostponed = async (now: number): Promise<boolean> => {
    for (
      let after: DuePlace | null = longest === null ? null : { due_at: instantOf(now + longest + 1), id: '' };
      after;
    ) {
      const page: Item[] = await items.due(after, LAST_INSTANT, PAGE);
      for (const item of page.filter(counts)) if (!(await bringForward(item, now))) return false;
      after = page.at(-1) ?? null;
    }
    looksForPostponed = false;
    return true;
  };

  /**
   * Reads items that were added or moved since the previous read. Starts those due before the cursor, brings forward
   * those whose due time is too late, and updates `dueNext` for the others. @returns false if nothing can start now
   */
  const beginPlaced = async (now: number): Promise<boolean> => {
    const read = unread.startRead();
    const folded = todo.folded();
    if (unread.isUnknown) dueNext = 0;
    placed ??= folded;
    for await (const { items: page, upTo } of readChangedPages(items, placed, folded)) {
      for (const item of page.filter(counts)) {
        if (isPostponed(item, now) && !(await bringForward(item, now))) return false;
        if (!isDueUpTo(item, cursor)) dueNext = Math.min(dueNext, millisecondsOf(item.due_at));
        else if (!(await offer(item))) return false;
      }
      placed = upTo;
    }
    read();
    return true;
  };

  /** Starts due items, and updates `dueNext`. */
  const beginDue = async (now: number): Promise<void> => {
    for (let isLast = false; !isLast;) {
      const page = await items.due(cursor, instantOf(now), PAGE);
      isLast = page.length < PAGE;
      for (const item of page) {
        if (counts(item) && !(await offer(item))) return;
        cursor = { due_at: item.due_at, id: item.id };
      }
    }
    const later = await items.next(cursor);
    dueNext = later === null ? Infinity : millisecondsOf(later);
  };

  const next = (now: number): number | null => {
    const at = Math.min(dueNext, flow.nextRetry(now) ?? Infinity);
    return at === Infinity ? null : at;
  };

  const look = async (now: number): Promise<Round> => {
    const rest = flow.pausedUntil(now);
    if (rest !== null) return { next: rest, checkpoint };
    looksForPostponed ||= now < seen;
    seen = now;
    if (cursor && cursor.due_at > instantOf(now)) [cursor, dueNext] = [{ due_at: instantOf(now), id: '' }, 0];
    await doneItems.settle(items.find, (...failure) => flow.failed(...failure));
    const goesOn =
      (await beginFirst()) &&
      (await flow.retryDue(now, items.find)) &&
      (!unread.isUnread || (await beginPlaced(now))) &&
      (!looksForPostponed || (await findPostponed(now)));
    if (goesOn && dueNext <= now) await beginDue(now);
    if (!firstItems) return { next: null, checkpoint };
    return { next: flow.pausedUntil(now) ?? next(now), checkpoint };
  };

  return {
    begin: async (lease) => {
      checkpoint = lease.checkpoint;
      [cursor, placed, seen, looksForPostponed] = [null, null, 0, true];
      dueNext = 0;
      unread.reset();
      [findFirst, firstItems] = [first?.(lease.wake) ?? null, null];
      doneItems.clear();
      await flow.begin(lease);
    },

    written: (everything) => {
      unread.written(everything);
    },

    round: (now) => retrySoonIfLagging(look(now), now, () => checkpoint),

    idle: async () => {
      await flow.idle();
      return checkpoint;
    },
  };
};

/** Counts the due items that have not failed, and returns the due time of the first of them. */
export const countDueItems =
  <Item extends DueItem>(list: Pick<DueList<Item>, 'due' | 'countDue'>): CountWaiting =>
  async ({ failed, find }, now) => {
    const at = instantOf(now);
    const due = Math.max(0, (await list.countDue(null, at)) - failed);
    return { items: due, since: due === 0 ? null : await firstPendingDueTime(list, null, at, find) };
  };

/** Maximum number of pages searched for the first item that has not failed. */
const MOST_PAGES = 10;

/**
 * Returns the due time of the first item that has not failed, in milliseconds since 1970. Null if there is none, or if
 * too many failed items are due before it.
 */
export const firstPendingDueTime = async <Item extends DueItem>(
  list: Pick<DueList<Item>, 'due'>,
  from: DuePlace | null,
  upTo: Instant,
  findFailed: (ids: readonly string[]) => Promise<readonly { id: string }[]>,
): Promise<number | null> => {
  let after = from;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await list.due(after, upTo, PAGE);
    const without = new Set((await findFailed(page.map(({ id }) => id))).map(({ id }) => id));
    const first = page.find(({ id }) => !without.has(id));
    if (first) return millisecondsOf(first.due_at);
    const last = page.at(-1);
    if (!last) return null;
    after = last;
  }
  return null;
};
