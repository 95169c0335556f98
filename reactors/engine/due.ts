import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Appended, Noted } from '../../commands/appended.ts';
import { Attempts, tellFailed } from './attempts.ts';
import type { ReactorLog, Work } from './loop.ts';
import { sideBySide } from './side-by-side.ts';

/** An item that is to be done once, when it is due; the event that results takes it off the list. */
export interface DueItem {
  id: string;
  due_at: Instant;
}

export interface DueQuery {
  /** only items that came on the list after this position */
  after: number;
  /** ids to leave out */
  but: readonly string[];
}

/** The list, with everything taken off that was done by the events appended so far. */
export interface DueList<Item extends DueItem> {
  /** at most `limit` items that are due at an instant, the earliest first */
  due: (at: Instant, query: DueQuery, limit: number) => Promise<Item[]>;
  /** at most `limit` items that are not due before an instant */
  notBefore: (at: Instant, query: DueQuery, limit: number) => Promise<Item[]>;
  /** when the earliest item is due; null when there is none */
  next: (query: DueQuery) => Promise<Instant | null>;
}

/** What is known when an item is done. */
export interface DueContext {
  /** the time at which it is done, not the one at which it was due */
  now: Instant;
  /** to be the command context's: the list is read again only after it has passed what is noted here */
  appended: Appended;
  /** Leaves the item on the list and lets it be looked at again so many milliseconds later. */
  later: (milliseconds: number) => void;
}

const PAGE = 100;
/** How often it is looked for items that are due at times no clock can have meant, milliseconds. */
const STRANGE_MS = 10_000;

export interface DueOptions<Item extends DueItem> {
  /** how many items at a time, where none of them has to wait for another; default: one */
  atOnce?: number;
  /**
   * The longest that an item can be on the list before it is due, milliseconds. One that is due later was put on it
   * by a clock that was wrong, and is not waited for.
   */
  longest: number;
  /** how much of `longest` such an item is given all the same, since it may be under way; default: all of it */
  given?: (item: Item) => number;
}

/** An item that was moved on the list, since something has happened, is another one. */
const placeOf = ({ id, due_at }: DueItem): string => `${id} ${due_at}`;

/** Work that is done when it is due, each item once. */
export const dueWork = <Item extends DueItem>(
  name: string,
  list: (context: { appended: Noted }) => DueList<Item>,
  act: (item: Item, context: DueContext) => Promise<void>,
  { atOnce = 1, longest, given = () => longest }: DueOptions<Item>,
): Work => {
  const attempts = new Attempts<Item>();
  const appended: Appended = new Map();
  const todo = list({ appended });
  let after = 0;
  /** the clock when it was looked last; 0 before */
  let seen = 0;
  /** when it was looked last for items that are due too late */
  let searched = -Infinity;
  /** places on the list of items that are due at times no clock can have meant, once they were given what they are given */
  const strange = new Set<string>();

  /**
   * Looks for what was put off by a clock that was ahead: this one before it was set back, which may have been before
   * the start, or at any time that of another process.
   */
  const putOff = async (now: number): Promise<Item[]> => {
    const setBack = now < seen;
    seen = now;
    if (!setBack && strange.size === 0 && now - searched < STRANGE_MS) return [];
    searched = now;
    const items = await todo.notBefore(instantOf(now + longest), { after, but: attempts.waiting(now) }, PAGE);
    const due = items.filter((item) => strange.has(placeOf(item)) || given(item) === 0);
    for (const item of items) {
      if (!strange.has(placeOf(item)) && given(item) > 0) attempts.postponed(item, now + given(item), now);
      strange.add(placeOf(item));
    }
    if (items.length === 0 && attempts.waiting(now).length === 0) strange.clear();
    return due;
  };

  /** @returns whether it was done */
  const attempt = async (item: Item, now: number, log: ReactorLog, again: boolean): Promise<boolean> => {
    try {
      if (again) throw new Error('It was done, and is still on the list.');
      const later = (milliseconds: number): void => {
        attempts.postponed(item, now + milliseconds, now);
      };
      await act(item, { now: instantOf(now), appended, later });
      return true;
    } catch (error) {
      tellFailed(log, name, attempts.failed(item, now, error), error);
      return false;
    }
  };

  return {
    begin: (memory) => {
      after = memory.activated;
    },

    round: async (now, log, signal) => {
      const ended = (): boolean => signal.aborted;
      const retried = attempts.due(now).map(({ id }) => id);
      const done = new Set<string>();
      await sideBySide(await putOff(now), atOnce, ended, async (item) => {
        if (await attempt(item, now, log, false)) done.add(item.id);
      });
      for (let more = true; more && !ended();) {
        const items = await todo.due(instantOf(now), { after, but: attempts.waiting(now) }, PAGE);
        more = items.length > 0;
        await sideBySide(items, atOnce, ended, async (item) => {
          if (await attempt(item, now, log, done.has(item.id))) done.add(item.id);
          else done.delete(item.id);
        });
      }
      // Tried again and not failed again: it is done, or was taken off the list by something else.
      const failed = new Set(attempts.waiting(now));
      for (const id of [...done, ...retried]) if (!failed.has(id)) attempts.settled(id);
      const next = await todo.next({ after, but: attempts.all.map(({ item }) => item.id) });
      const times = [attempts.next, next === null ? null : millisecondsOf(next)].filter((time) => time !== null);
      // What has come on the list since then may be due too late.
      if (next !== null && searched < now) times.push(searched + STRANGE_MS);
      return { next: times.length === 0 ? null : Math.min(...times), handled: after };
    },
  };
};
