import { offsetsOf, type OffsetAt } from '../time-zone.ts';
import { datesFrom } from './dates.ts';
import type { CronExpression } from './expression.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';

/**
 * A clock change of up to three hours counts as a change to or from daylight saving time. A larger clock change counts
 * as a correction of the clock.
 */
const THREE_HOURS = 3 * HOUR_MS;
/** If a clock change skips less than this, even an expression in elapsed time is due right after the change. */
const SHORT_SKIP = 5 * MINUTE_MS;

/**
 * Returns when an expression is next due in a time zone, by the rules of Debian's cron (cron(8), "Notes"). An
 * expression in local time is due once if a clock change repeats or skips its time: at the first of two repeated times,
 * or right after the change. An expression in elapsed time is due whenever the clock shows a matching time.
 *
 * @param after milliseconds since 1970, exclusive
 * @returns milliseconds since 1970; null if the expression is never due
 */
export const nextDue = (expression: CronExpression, timeZone: string, after: number): number | null => {
  const offsetAt = offsetsOf(timeZone);
  // Start one day earlier: if the clock goes back over midnight, the end of the previous day is repeated.
  const first = Math.floor((after + offsetAt(after)) / DAY_MS) - 1;
  let earliest: number | null = null;
  for (const date of datesFrom(expression, first)) {
    const { at, mayInterleave } = firstOn(expression, date * DAY_MS, offsetAt, after);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
    // If the clock goes back over midnight, the next date starts before this date has ended. So examine the next date
    // too.
    if (earliest !== null && (!mayInterleave || at === null || at > earliest)) return earliest;
  }
  return earliest;
};

/**
 * Returns the first time after `after` at which an expression is due on a date; null if the expression is not due on
 * this date.
 *
 * @param midnight the start of the date in local time, as milliseconds since 1970 as if the zone were UTC
 */
const firstOn = (
  expression: CronExpression,
  midnight: number,
  offsetAt: OffsetAt,
  after: number,
): { at: number | null; mayInterleave: boolean } => {
  // No time zone differs from UTC by more than 15 hours.
  const [begins, ends] = [midnight - 36 * HOUR_MS, midnight + DAY_MS + 36 * HOUR_MS];
  const [offset, later] = [offsetAt(begins), offsetAt(ends)];
  if (offset === later) {
    const from = Math.floor((after + offset - midnight) / MINUTE_MS) + 1;
    const minute = firstMinute(expression, Math.max(0, from));
    return { at: minute === null ? null : midnight + minute * MINUTE_MS - offset, mayInterleave: false };
  }
  const change: Change = { at: changeBetween(begins, ends, offsetAt), before: offset, after: later };
  const due = expression.hours
    .flatMap((hour) => expression.minutes.map((minute) => midnight + hour * HOUR_MS + minute * MINUTE_MS))
    .flatMap((local) => dueAt(local, change, expression))
    .filter((at) => at > after);
  return { at: due.length === 0 ? null : due.reduce((one, other) => Math.min(one, other)), mayInterleave: true };
};

/**
 * Returns the first matching minute of a day that is not before `from`; null if there is none. Minutes are counted from
 * midnight.
 */
const firstMinute = ({ hours, minutes }: CronExpression, from: number): number | null => {
  for (const hour of hours) {
    const minute = minutes.find((one) => hour * 60 + one >= from);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return null;
};

/** A change of the clock in a time zone. */
interface Change {
  /** when the clock changes, milliseconds since 1970 */
  at: number;
  /** offsets from UTC before and after the change, milliseconds */
  before: number;
  after: number;
}

/** Finds the first minute whose offset differs from the offset at `begins`. Times are in milliseconds since 1970. */
const changeBetween = (begins: number, ends: number, offsetAt: OffsetAt): number => {
  const before = offsetAt(begins);
  let [same, other] = [Math.floor(begins / MINUTE_MS), Math.ceil(ends / MINUTE_MS)];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(middle * MINUTE_MS) === before) same = middle;
    else other = middle;
  }
  return other * MINUTE_MS;
};

/**
 * Returns when an expression that matches the local time `local` is due, around a clock change. There can be zero, one
 * or two such times.
 */
const dueAt = (local: number, { at, before, after }: Change, { isElapsed }: CronExpression): number[] => {
  const forward = after - before;
  const shown = [local - before, local - after].filter((time, index) => (index === 0 ? time < at : time >= at));
  if (shown.length === 0) {
    const isMadeUp = forward < (isElapsed ? SHORT_SKIP : THREE_HOURS);
    return isMadeUp ? [at] : [];
  }
  return isElapsed || -forward > THREE_HOURS ? shown : shown.slice(0, 1);
};
