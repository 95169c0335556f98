import { instantOf, millisecondsOf, type Instant } from './time.ts';

const DAY = 86_400_000;
/** A larger step of retention needs a person who confirms it. */
const LARGEST_STEP = 2 * DAY;

/**
 * The first instant that retention keeps: retention counts whole UTC days (design.md: Two logs).
 *
 * @param now milliseconds since 1970
 */
export const retainedFrom = (now: number, retentionDays: number): Instant =>
  instantOf((Math.floor(now / DAY) - retentionDays) * DAY);

/** How far the retention of results has gone. */
export interface Retention {
  /** what was recorded before this is removed, and is not shown */
  from: Instant;
  /** where it would be by the clock, which nobody has confirmed; null unless it is held back */
  wanted: Instant | null;
  /** when it was last moved, by the clock */
  moved_at: Instant;
}

export interface RetentionTimes {
  /** the clock, milliseconds since 1970 */
  now: number;
  /**
   * The newest time in the log when the process started, plus what has passed since by a monotonic clock;
   * milliseconds since 1970. null: the log was empty.
   */
  logTime: number | null;
  retentionDays: number;
  /** the `wanted` that a person last confirmed */
  confirmed: Instant | null;
}

const plus = (instant: Instant, milliseconds: number): Instant => instantOf(millisecondsOf(instant) + milliseconds);

/**
 * The next state of retention. A wrong clock must not remove what can't be brought back: retention never
 * goes further than the log's own time, and if it would go more than two days further than before, it goes one
 * day per day until a person has confirmed it.
 */
export const nextRetention = (last: Retention | null, times: RetentionTimes): Retention => {
  const { now, logTime, retentionDays, confirmed } = times;
  const byClock = retainedFrom(now, retentionDays);
  const byLog = logTime === null ? byClock : retainedFrom(Math.min(now, logTime), retentionDays);
  const from = isConfirmed(byClock, confirmed) ? byClock : held(last, byLog, now);
  return {
    from,
    wanted: byClock > plus(from, LARGEST_STEP) ? byClock : null,
    moved_at: from === last?.from ? last.moved_at : instantOf(now),
  };
};

/** Whether the clock says what a person has found to be right. */
export const isConfirmed = (byClock: Instant, confirmed: Instant | null): boolean =>
  confirmed !== null && plus(confirmed, -LARGEST_STEP) <= byClock && byClock <= plus(confirmed, LARGEST_STEP);

const held = (last: Retention | null, target: Instant, now: number): Instant => {
  if (!last || target <= plus(last.from, LARGEST_STEP)) return target;
  const passed = Math.abs(now - millisecondsOf(last.moved_at));
  return passed >= DAY ? plus(last.from, DAY) : last.from;
};
