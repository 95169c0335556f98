import { DAY_MS, instantOf, later, millisecondsOf, type Instant } from './time.ts';

/** If the retention would advance by more than this number of days or months, a person must confirm it. */
const LARGEST_STEP = 2;

/**
 * Returns the first instant whose data is retained. The retention is counted in whole UTC days
 * (docs/decisions/0002-two-logs.md).
 *
 * @param now milliseconds since 1970
 */
export const retainedFrom = (now: number, retentionDays: number): Instant =>
  instantOf((Math.floor(now / DAY_MS) - retentionDays) * DAY_MS);

/**
 * Returns the first instant whose request origins (client addresses and user agents) are retained. The retention is a
 * number of whole UTC months before the current month.
 */
export const originsRetainedFrom = (now: number, months: number): Instant => monthsLater(instantOf(now), -months);

/** Returns the start of the month that is `months` after the month of `instant`. */
const monthsLater = (instant: Instant, months: number): Instant => {
  const date = new Date(millisecondsOf(instant));
  return instantOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
};

/** The unit in which a retention advances. */
interface Unit {
  /** returns the instant `count` units later */
  later: (instant: Instant, count: number) => Instant;
  /** minimum time between two steps of one unit each, in milliseconds */
  step: number;
}

const DAYS: Unit = { later: (instant, count) => later(instant, count * DAY_MS), step: DAY_MS };
const MONTHS: Unit = { later: monthsLater, step: 31 * DAY_MS };
/** The state of the retention of results, or of request origins (client addresses and user agents). */
export interface Retention {
  /** data recorded before this instant is removed, and no longer shown */
  from: Instant;
  /**
   * the instant to which the retention would advance if a person confirmed the larger step; null if no confirmation is
   * needed
   */
  wanted: Instant | null;
  /** when the retention last advanced, according to the clock */
  moved_at: Instant;
}

export interface RetentionTimes {
  /** the time according to the clock, milliseconds since 1970 */
  now: number;
  /**
   * The newest time in the log when the process started, plus the time since the start according to a monotonic clock;
   * milliseconds since 1970. null: the log was empty.
   */
  logTime: number | null;
  retentionDays: number;
  /** the value of `wanted` that a person last confirmed */
  confirmed: Instant | null;
}

/**
 * Returns the next state of the retention of results. Removed data cannot be restored, so a wrong clock must not cause
 * a removal. Therefore, if the clock is ahead of the time of the log, the time of the log is used. If the retention
 * would advance by more than two days, it advances by one day per day until a person confirms the larger step.
 */
export const nextRetention = (last: Retention | null, { retentionDays, ...times }: RetentionTimes): Retention =>
  next(last, times, (now) => retainedFrom(now, retentionDays), DAYS);

/**
 * Returns the next state of the retention of request origins (client addresses and user agents), which advances in
 * months. The retention never goes back, because the deleted keys of earlier months cannot be restored.
 */
export const nextClientRetention = (
  last: Retention | null,
  { months, ...times }: Omit<RetentionTimes, 'retentionDays'> & { months: number },
): Retention => {
  const following = next(last, times, (now) => originsRetainedFrom(now, months), MONTHS);
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
  const from = agrees(byClock, confirmed, unit) ? byClock : limited(last, byLog, now, unit);
  return {
    from,
    wanted: byClock > unit.later(from, LARGEST_STEP) ? byClock : null,
    moved_at: from === last?.from ? last.moved_at : instantOf(now),
  };
};

/** Whether the target according to the clock agrees with the target that a person confirmed. */
export const isConfirmed = (byClock: Instant, confirmed: Instant | null): boolean => agrees(byClock, confirmed, DAYS);

/** Like {@link isConfirmed}, for the retention of request origins. */
export const isClientRetentionConfirmed = (byClock: Instant, confirmed: Instant | null): boolean =>
  agrees(byClock, confirmed, MONTHS);

const agrees = (byClock: Instant, confirmed: Instant | null, { later }: Unit): boolean =>
  confirmed !== null && later(confirmed, -LARGEST_STEP) <= byClock && byClock <= later(confirmed, LARGEST_STEP);

const limited = (last: Retention | null, target: Instant, now: number, { later, step }: Unit): Instant => {
  if (!last || target <= later(last.from, LARGEST_STEP)) return target;
  const passed = Math.abs(now - millisecondsOf(last.moved_at));
  return passed >= step ? later(last.from, 1) : last.from;
};
