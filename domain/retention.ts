import { instantOf, millisecondsOf, type Instant } from './time.ts';

const DAY = 86_400_000;
/** A larger step of retention, in days or months, needs a person who confirms it. */
const LARGEST_STEP = 2;

/**
 * The first instant that retention keeps: retention counts whole UTC days (design.md: Two logs).
 *
 * @param now milliseconds since 1970
 */
export const retainedFrom = (now: number, retentionDays: number): Instant =>
  instantOf((Math.floor(now / DAY) - retentionDays) * DAY);

/** The first instant that the retention of where requests came from keeps: whole UTC months before the present one. */
export const keptSince = (now: number, months: number): Instant => monthsLater(instantOf(now), -months);

/** The beginning of a month, so many months after that of an instant. */
const monthsLater = (instant: Instant, months: number): Instant => {
  const date = new Date(millisecondsOf(instant));
  return instantOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
};

/** What retention counts in. */
interface Unit {
  /** an instant so many of it later */
  later: (instant: Instant, count: number) => Instant;
  /** where retention that is held back takes a step, milliseconds */
  step: number;
}

const DAYS: Unit = { later: (instant, count) => instantOf(millisecondsOf(instant) + count * DAY), step: DAY };
const MONTHS: Unit = { later: monthsLater, step: 31 * DAY };

/** How far the retention of results has gone, or that of where requests came from. */
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

/**
 * The next state of retention. A wrong clock must not remove what can't be brought back: retention never
 * goes further than the log's own time, and if it would go more than two days further than before, it goes one
 * day per day until a person has confirmed it.
 */
export const nextRetention = (last: Retention | null, { retentionDays, ...times }: RetentionTimes): Retention =>
  next(last, times, (now) => retainedFrom(now, retentionDays), DAYS);

/** The same by months, for the keys of where requests came from. It never goes back: what is forgotten is so for good. */
export const nextClientRetention = (
  last: Retention | null,
  { months, ...times }: Omit<RetentionTimes, 'retentionDays'> & { months: number },
): Retention => {
  const following = next(last, times, (now) => keptSince(now, months), MONTHS);
  return last && following.from < last.from ? { ...last, wanted: null } : following;
};

const next = (
  last: Retention | null,
  { now, logTime, confirmed }: Omit<RetentionTimes, 'retentionDays'>,
  keptFrom: (now: number) => Instant,
  unit: Unit,
): Retention => {
  const byClock = keptFrom(now);
  const byLog = logTime === null ? byClock : keptFrom(Math.min(now, logTime));
  const from = agrees(byClock, confirmed, unit) ? byClock : held(last, byLog, now, unit);
  return {
    from,
    wanted: byClock > unit.later(from, LARGEST_STEP) ? byClock : null,
    moved_at: from === last?.from ? last.moved_at : instantOf(now),
  };
};

/** Whether the clock says what a person has found to be right. */
export const isConfirmed = (byClock: Instant, confirmed: Instant | null): boolean => agrees(byClock, confirmed, DAYS);

/** The same of {@link nextClientRetention}. */
export const isClientRetentionConfirmed = (byClock: Instant, confirmed: Instant | null): boolean =>
  agrees(byClock, confirmed, MONTHS);

const agrees = (byClock: Instant, confirmed: Instant | null, { later }: Unit): boolean =>
  confirmed !== null && later(confirmed, -LARGEST_STEP) <= byClock && byClock <= later(confirmed, LARGEST_STEP);

const held = (last: Retention | null, target: Instant, now: number, { later, step }: Unit): Instant => {
  if (!last || target <= later(last.from, LARGEST_STEP)) return target;
  const passed = Math.abs(now - millisecondsOf(last.moved_at));
  return passed >= step ? later(last.from, 1) : last.from;
};
