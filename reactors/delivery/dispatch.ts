import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { changedPages } from '../engine/changed-pages.ts';
import type { Checkpoint } from '../engine/checkpoint.ts';
import { isUpTo, LAST_INSTANT, type Place, type TodoProjection } from '../engine/lists.ts';
import { LATE_PAUSE_MS, soonIfLate } from '../engine/late.ts';
import { Unread } from '../engine/unread.ts';
import type { Round, Work } from '../engine/work.ts';
import type { LaneLimits } from './lanes.ts';
import { Turns, type Attempt, type DeliveryList, type Item } from './turns.ts';

export interface DispatchOptions {
  limits: LaneLimits;
  /** the longest that a delivery waits until it is due, milliseconds: later ones were put off by a wrong clock */
  longest: number;
  /**
   * Called when the reactor begins. Nothing is begun until the function it returns says true; while it does not, it
   * calls `wake` when it may.
   */
  first: (wake: () => void) => () => Promise<boolean>;
  /** Up to which position of its log the list has what is to be dropped instead; 0: nothing is. */
  dropUpTo: () => Promise<number>;
  /** Nothing is left that is to be dropped. */
  dropped: () => Promise<void>;
  /** Tells which targets hold up many messages, so that nobody else waits until those are sent. */
  heldUp: (targets: readonly string[]) => Promise<void>;
}

const PAGE = 500;
/** How often what a wrong clock put off is looked for while queues have no room for all of it. */
const PUT_OFF_PAUSE_MS = 10_000;

/**
 * Work on deliveries: each is begun once it is due and its turn has come (`turns.ts`). The list is read in the order in
 * which they are due, each change once; what waits longer is not kept in memory. The outcome, in the log that the list
 * is made from, takes a delivery off the list, or moves it.
 */
export const dispatchWork = (
  name: string,
  todo: Pick<TodoProjection, 'folded' | 'passed'>,
  list: DeliveryList,
  attempt: Attempt,
  { limits, longest, first, dropUpTo, dropped, heldUp }: DispatchOptions,
): Work => {
  const turns = new Turns(name, list, attempt, limits);
  const unread = new Unread();
  /** when the earliest item after the cursor is due, or earlier, milliseconds since 1970; Infinity: there is none */
  let dueNext = 0;
  /** ends waiting for the list to show outcomes; null: no waiter */
  let unsettled: (() => void) | null = null;
  let wake: () => void = () => undefined;
  let checkpoint: Checkpoint = { activated: 0, handled: 0 };
  /** everything due up to here was offered; what is put on the list before it is found as newly placed */
  let cursor: Place | null = null;
  /** items placed up to this position were seen; null: nothing was read yet */
  let placed: number | null = null;
  /** the clock at the last look; 0 before */
  let seen = 0;
  /** when items that a wrong clock put off are looked for; null: they were all found */
  let putOffAt: number | null = 0;
  let isReady: () => Promise<boolean> = async () => false;
  /** whether what was to be dropped has ended */
  let isBegun = false;
  let told: readonly string[] = [];

  /** Offers what a clock put off while it was ahead, before it was set back. @returns false: nothing more can begin now */
  const offerPutOff = async (now: number): Promise<boolean> => {
    let isLeft = false;
    for (let after: Place = { due_at: instantOf(now + longest + 1), id: '' }; ;) {
      const page = await list.due(after, LAST_INSTANT, PAGE);
      if (!(await turns.offer(page, now))) return false;
      isLeft ||= page.some((item) => !turns.knows(item));
      const last = page.at(-1);
      if (!last) break;
      after = last;
    }
    putOffAt = isLeft ? now + PUT_OFF_PAUSE_MS : null;
    return true;
  };

  /**
   * Offers what was put on the list since the last look and is due before the cursor, or far too late, and learns when
   * the rest is due.
   */
  const offerPlaced = async (now: number): Promise<boolean> => {
    const read = unread.reading();
    const folded = todo.folded();
    if (unread.isUnknown) dueNext = 0;
    placed ??= folded;
    for await (const { items, upTo } of changedPages(list, placed, folded)) {
      const due = items.filter((item) => isUpTo(item, cursor) || millisecondsOf(item.due_at) > now + longest);
      for (const item of items) {
        if (!isUpTo(item, cursor)) dueNext = Math.min(dueNext, millisecondsOf(item.due_at));
      }
      if (due.length > 0 && !(await turns.offer(due, now))) return false;
      placed = upTo;
    }
    read();
    return true;
  };

  /** Offers what is due now, and learns when the next item is. */
  const offerDue = async (now: number): Promise<boolean> => {
    for (let isLast = false; !isLast;) {
      const page = await list.due(cursor, instantOf(now), PAGE);
      isLast = page.length < PAGE;
      const last = page.at(-1);
      if (!last) break;
      if (!(await turns.offer(page, now))) return false;
      cursor = { due_at: last.due_at, id: last.id };
    }
    const later = await list.next(cursor);
    dueNext = later === null ? Infinity : millisecondsOf(later);
    return true;
  };

  /** Outcomes are compared with the list once it shows them, whether or not they have written to it. */
  const settleOnceShown = (): void => {
    const last = turns.unsettled(todo.folded());
    if (last === null || unsettled) return;
    unsettled = todo.passed(last, () => {
      unsettled = null;
      wake();
    });
  };

  /** Ends what an operator does not want to be sent after a restore. @returns false: nothing more can begin now */
  const drop = async (): Promise<boolean> => {
    const upTo = await dropUpTo();
    for (let after: Place | null = null; upTo > 0;) {
      const page: Item[] = await list.due(after, LAST_INSTANT, PAGE);
      if (!(await turns.drop(page.filter(({ changed_position }) => changed_position <= upTo)))) return false;
      const last = page.at(-1);
      if (!last) break;
      after = { due_at: last.due_at, id: last.id };
    }
    if (upTo > 0) await dropped();
    return true;
  };

  /** A failure only means that others wait too. */
  const tellHeldUp = async (now: number): Promise<void> => {
    const targets = turns.heldUp(now);
    if (targets.length === told.length && targets.every((target, index) => target === told[index])) return;
    await heldUp(targets).then(
      () => (told = targets),
      () => undefined,
    );
  };

  const look = async (now: number): Promise<Round> => {
    const rest = turns.restsUntil(now);
    if (rest !== null) return { next: rest, checkpoint };
    if (now < seen) {
      putOffAt = now;
      turns.endPauses();
    }
    seen = now;
    if (cursor && cursor.due_at > instantOf(now)) [cursor, dueNext] = [{ due_at: instantOf(now), id: '' }, 0];
    if (!(await isReady())) return { next: null, checkpoint };
    if (!isBegun && !(await drop())) return { next: turns.restsUntil(now) ?? now + LATE_PAUSE_MS, checkpoint };
    [isBegun, isReady] = [true, async () => true];
    turns.pump(now);
    await turns.settle(todo.folded());
    const goesOn =
      (await turns.offerAgain(now)) &&
      (!unread.isUnread || (await offerPlaced(now))) &&
      (putOffAt === null || now < putOffAt || (await offerPutOff(now))) &&
      (dueNext > now || (await offerDue(now))) &&
      (await turns.refill(now));
    settleOnceShown();
    await tellHeldUp(now);
    if (!goesOn) return { next: turns.restsUntil(now), checkpoint };
    const at = Math.min(dueNext, turns.next(now) ?? Infinity, putOffAt ?? Infinity);
    return { next: at === Infinity ? null : at, checkpoint };
  };

  return {
    begin: async (shift) => {
      checkpoint = shift.checkpoint;
      [cursor, placed, seen, putOffAt] = [null, null, 0, 0];
      dueNext = 0;
      unread.reset();
      ({ wake } = shift);
      [isBegun, isReady] = [false, first(wake)];
      await turns.begin(shift);
    },

    written: (everything) => {
      unread.written(everything);
    },

    round: (now) => soonIfLate(look(now), now, () => checkpoint),

    idle: async () => {
      await turns.idle();
      unsettled?.();
      unsettled = null;
      return checkpoint;
    },
  };
};
