import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { readChangedPages } from '../engine/changed-pages.ts';
import type { Checkpoint } from '../engine/checkpoint.ts';
import { isDueUpTo, LAST_INSTANT, type DuePlace, type TodoProjection } from '../engine/lists.ts';
import { LAG_PAUSE_MS, retrySoonIfLagging } from '../engine/lagging-lists.ts';
import { UnreadTracker } from '../engine/unread.ts';
import type { Round, Work } from '../engine/work.ts';
import type { SchedulerLimits } from './scheduler.ts';
import { DeliveryFlow, type Attempt, type DeliveryList, type DeliveryItem } from './delivery-flow.ts';

export interface DispatchOptions {
  limits: SchedulerLimits;
  /** maximum delay of a delivery, milliseconds; a longer delay means that a wrong clock set the due time */
  longest: number;
  /**
   * Called when the reactor starts. Returns a function that is called in each round until it resolves to true; no
   * delivery starts before that. After this function has resolved to false, it calls `wake` to request the next round.
   */
  first: (wake: () => void) => () => Promise<boolean>;
  /** Returns the log position up to which deliveries must be dropped; 0 if none must be dropped. */
  dropUpTo: () => Promise<number>;
  /** Called after all deliveries up to the position `dropUpTo` were dropped. */
  dropped: () => Promise<void>;
  /** Reports which targets have a large backlog, so that planning for other targets does not wait for them. */
  reportBacklog: (targets: readonly string[]) => Promise<void>;
}

const PAGE = 500;
/**
 * Time between two searches for deliveries that a wrong clock postponed. Searches are repeated while the queues have no
 * room for all of these deliveries.
 */
const POSTPONED_PAUSE_MS = 10_000;

/**
 * Processes deliveries. A delivery starts when it is due and the scheduler selects it (`delivery-flow.ts`). Its outcome
 * is appended to the log of the list, which removes the delivery from the list or changes its due time.
 *
 * The list is read in due order up to the present, so deliveries due later are not in memory. In addition, each item
 * that an event adds or moves is read once.
 */
export const createDispatchWork = (
  name: string,
  todo: Pick<TodoProjection, 'folded' | 'passed'>,
  list: DeliveryList,
  attempt: Attempt,
  { limits, longest, first, dropUpTo, dropped, reportBacklog }: DispatchOptions,
): Work => {
  const flow = new DeliveryFlow(name, list, attempt, limits);
  const unread = new UnreadTracker();
  /** no item after the cursor is due earlier than this, milliseconds since 1970; Infinity if no item follows */
  let dueNext = 0;
  /** cancels the wait until the list shows all outcomes; null if no such wait is under way */
  let unsettled: (() => void) | null = null;
  let wake: () => void = () => undefined;
  let checkpoint: Checkpoint = { activated: 0, handled: 0 };
  /**
   * all items due up to the cursor were queued; if an event later adds an item before the cursor, `placed` finds the
   * item
   */
  let cursor: DuePlace | null = null;
  /** all events up to this log position were searched for items that they add or move; null before the first read */
  let placed: number | null = null;
  /** clock time of the previous round, milliseconds since 1970; 0 before the first round */
  let seen = 0;
  /** when to search for items that a wrong clock postponed, milliseconds since 1970; null if all are queued */
  let postponedAt: number | null = 0;
  let isReady: () => Promise<boolean> = async () => false;
  /** whether dropping has finished */
  let isBegun = false;
  let published: readonly string[] = [];

  /**
   * Queues deliveries whose due time was set while the clock was ahead and is now too late. @returns false if nothing
   * can start now
   */
  const offerPostponed = async (now: number): Promise<boolean> => {
    let isLeft = false;
    for (let after: DuePlace = { due_at: instantOf(now + longest + 1), id: '' }; ;) {
      const page = await list.due(after, LAST_INSTANT, PAGE);
      if (!(await flow.offer(page, now))) return false;
      isLeft ||= page.some((item) => !flow.isTracked(item));
      const last = page.at(-1);
      if (!last) break;
      after = last;
    }
    postponedAt = isLeft ? now + POSTPONED_PAUSE_MS : null;
    return true;
  };

  /**
   * Reads items that were added or moved since the previous read. Queues those due before the cursor and those whose
   * due time is too late, and updates `dueNext` for the others. @returns false if nothing can start now
   */
  const offerPlaced = async (now: number): Promise<boolean> => {
    const read = unread.startRead();
    const folded = todo.folded();
    if (unread.isUnknown) dueNext = 0;
    placed ??= folded;
    for await (const { items, upTo } of readChangedPages(list, placed, folded)) {
      const due = items.filter((item) => isDueUpTo(item, cursor) || millisecondsOf(item.due_at) > now + longest);
      for (const item of items) {
        if (!isDueUpTo(item, cursor)) dueNext = Math.min(dueNext, millisecondsOf(item.due_at));
      }
      if (due.length > 0 && !(await flow.offer(due, now))) return false;
      placed = upTo;
    }
    read();
    return true;
  };

  /** Queues due items, and updates `dueNext`. @returns false if nothing can start now */
  const offerDue = async (now: number): Promise<boolean> => {
    for (let isLast = false; !isLast;) {
      const page = await list.due(cursor, instantOf(now), PAGE);
      isLast = page.length < PAGE;
      const last = page.at(-1);
      if (!last) break;
      if (!(await flow.offer(page, now))) return false;
      cursor = { due_at: last.due_at, id: last.id };
    }
    const later = await list.next(cursor);
    dueNext = later === null ? Infinity : millisecondsOf(later);
    return true;
  };

  /** Requests another round when the list shows all outcomes. That round compares the outcomes with the list. */
  const settleOnceShown = (): void => {
    const last = flow.unsettled(todo.folded());
    if (last === null || unsettled) return;
    unsettled = todo.passed(last, () => {
      unsettled = null;
      wake();
    });
  };

  /** Drops the deliveries that the operator excluded after a restore. @returns false if some could not be dropped */
  const drop = async (): Promise<boolean> => {
    const upTo = await dropUpTo();
    for (let after: DuePlace | null = null; upTo > 0;) {
      const page: DeliveryItem[] = await list.due(after, LAST_INSTANT, PAGE);
      if (!(await flow.drop(page.filter(({ changed_position }) => changed_position <= upTo)))) return false;
      const last = page.at(-1);
      if (!last) break;
      after = { due_at: last.due_at, id: last.id };
    }
    if (upTo > 0) await dropped();
    return true;
  };

  /**
   * If the targets with a large backlog have changed, reports them. Ignores failures, because their only effect is that
   * planning for other targets waits, too.
   */
  const reportBacklogged = async (now: number): Promise<void> => {
    const targets = flow.backloggedTargets(now);
    if (targets.length === published.length && targets.every((target, index) => target === published[index])) return;
    await reportBacklog(targets).then(
      () => (published = targets),
      () => undefined,
    );
  };

  const look = async (now: number): Promise<Round> => {
    const rest = flow.pausedUntil(now);
    if (rest !== null) return { next: rest, checkpoint };
    if (now < seen) {
      postponedAt = now;
      flow.endPauses();
    }
    seen = now;
    if (cursor && cursor.due_at > instantOf(now)) [cursor, dueNext] = [{ due_at: instantOf(now), id: '' }, 0];
    if (!(await isReady())) return { next: null, checkpoint };
    if (!isBegun && !(await drop())) return { next: flow.pausedUntil(now) ?? now + LAG_PAUSE_MS, checkpoint };
    [isBegun, isReady] = [true, async () => true];
    flow.startScheduled(now);
    await flow.settle(todo.folded());
    const goesOn =
      (await flow.offerAgain(now)) &&
      (!unread.isUnread || (await offerPlaced(now))) &&
      (postponedAt === null || now < postponedAt || (await offerPostponed(now))) &&
      (dueNext > now || (await offerDue(now))) &&
      (await flow.refill(now));
    settleOnceShown();
    await reportBacklogged(now);
    if (!goesOn) return { next: flow.pausedUntil(now), checkpoint };
    const at = Math.min(dueNext, flow.nextCheck(now) ?? Infinity, postponedAt ?? Infinity);
    return { next: at === Infinity ? null : at, checkpoint };
  };

  return {
    begin: async (lease) => {
      checkpoint = lease.checkpoint;
      [cursor, placed, seen, postponedAt] = [null, null, 0, 0];
      dueNext = 0;
      unread.reset();
      ({ wake } = lease);
      [isBegun, isReady] = [false, first(wake)];
      await flow.begin(lease);
    },

    written: (everything) => {
      unread.written(everything);
    },

    round: (now) => retrySoonIfLagging(look(now), now, () => checkpoint),

    idle: async () => {
      await flow.idle();
      unsettled?.();
      unsettled = null;
      return checkpoint;
    },
  };
};
