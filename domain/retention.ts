import { DAY_MS, instantOf, later, millisecondsOf, type Instant } from './time.ts';

/** A larger step of retention, in days or months, requires confirmation by a person. */
const LARGEST_STEP = 2;

/**
 * The first instant whose data is retained, in whole UTC days (docs/decisions/0002-two-logs.md).
 *
 * @param now milliseconds since 1970
 */
export const retainedFrom = (now: number, retentionDays: number): Instant =>
  instantOf((Math.floor(now / DAY_MS) - retentionDays) * DAY_MS);

/** The first instant whose request origins are retained: whole UTC months before the current month. */
export const originsRetainedFrom = (now: number, months: number): Instant => monthsLater(instantOf(now), -months);

/** The start of the month that is `months` after the month of an instant. */
const monthsLater = (instant: Instant, months: number): Instant => {
  const date = new Date(millisecondsOf(instant));
  return instantOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
};

/** The unit of a retention. */
interface Unit {
  /** the instant `count` units later */
  later: (instant: Instant, count: number) => Instant;
  /** how often a retention that is limited to small steps takes one, milliseconds */
  step: number;
}

const DAYS: Unit = { later: (instant, count) => later(instant, count * DAY_MS), step: DAY_MS };
const MONTHS: Unit = { later: monthsLater, step: 31 * DAY_MS };
/** The state of the retention of results, or of request origins. */
export interface Retention {
  /** data recorded before this instant is removed, and not shown */
  from: Instant;
  /** the unconfirmed target by the clock, if the retention is limited to small steps; otherwise null */
  wanted: Instant | null;
  /** when it last advanced, by the clock */
  moved_at: Instant;
}

export interface RetentionTimes {
  /** the clock, milliseconds since 1970 */
  now: number;
  /**
   * The newest time in the log when the process started, plus the time since then by a monotonic clock;
   * milliseconds since 1970. null: the log was empty.
   */
  logTime: number | null;
  retentionDays: number;
  /** the target that a person last confirmed */
  confirmed: Instant | null;
}

/**
 * The next state of the retention. Since removed data can't be restored, a wrong clock must not remove it:
 * retention never exceeds the time of the log, and if it would advance by more than two days, it advances by
 * one day per day until a person confirms the target.
 */
export const nextRetention = (last: Retention | null, { retentionDays, ...times }: RetentionTimes): Retention =>
  next(last, times, (now) => retainedFrom(now, retentionDays), DAYS);

/** The same in months, for the keys of request origins. It never goes back, since deleted keys can't be restored. */
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

/** Whether the target by the clock agrees with the one that a person confirmed. */
export const isConfirmed = (byClock: Instant, confirmed: Instant | null): boolean => agrees(byClock, confirmed, DAYS);

/** The same for {@link nextClientRetention}. */
export const isClientRetentionConfirmed = (byClock: Instant, confirmed: Instant | null): boolean =>
  agrees(byClock, confirmed, MONTHS);

const agrees = (byClock: Instant, confirmed: Instant | null, { later }: Unit): boolean =>
  confirmed !== null && later(confirmed, -LARGEST_STEP) <= byClock && byClock <= later(confirmed, LARGEST_STEP);

const limited = (last: Retention | null, target: Instant, now: number, { later, step }: Unit): Instant => {
  if (!last || target <= later(last.from, LARGEST_STEP)) return target;
  const passed = Math.abs(now - millisecondsOf(last.moved_at));
  return passed >= step ? later(last.from, 1) : last.from;
};
