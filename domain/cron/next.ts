import { offsetsOf, type OffsetAt } from '../time-zone.ts';
import { datesFrom } from './dates.ts';
import type { CronExpression } from './expression.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';

/** Changes of up to three hours count as daylight saving changes; larger ones count as corrections of the clock. */
const THREE_HOURS = 3 * HOUR_MS;
/** A due time in a skipped period shorter than this is always made up for. */
const SHORT_SKIP = 5 * MINUTE_MS;

/**
 * The next time an expression is due in a time zone, with the rules of Debian's cron (cron(8), "Notes"). An expression in
 * local time is due once: at the first of two repeated times, and right after a change that skips its time. An
 * expression in elapsed time is due whenever the clock shows a matching time.
 *
 * @param after milliseconds since 1970, exclusive
 * @returns milliseconds since 1970; null: never
 */
export const nextDue = (expression: CronExpression, timeZone: string, after: number): number | null => {
  const offsetAt = offsetsOf(timeZone);
  // If clocks go back over midnight, the end of the day before is repeated.
  const first = Math.floor((after + offsetAt(after)) / DAY_MS) - 1;
  let earliest: number | null = null;
  for (const date of datesFrom(expression, first)) {
    const { at, mayInterleave } = firstOn(expression, date * DAY_MS, offsetAt, after);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
    // If clocks go back over midnight, the next date starts before this one ends.
    if (earliest !== null && (!mayInterleave || at === null || at > earliest)) return earliest;
  }
  return earliest;
};

/** The first time an expression is due on a date after `after`; null if it is not. */
const firstOn = (
  expression: CronExpression,
  midnight: number,
  offsetAt: OffsetAt,
  after: number,
): { at: number | null; mayInterleave: boolean } => {
  // No time zone is further than 15 hours from UTC.
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

/** The first matching minute of a day from `from` on, both counted from midnight; null if there is none. */
const firstMinute = ({ hours, minutes }: CronExpression, from: number): number | null => {
  for (const hour of hours) {
    const minute = minutes.find((one) => hour * 60 + one >= from);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return null;
};

/** A clock change. */
interface Change {
  /** milliseconds since 1970 */
  at: number;
  /** offsets from UTC, milliseconds */
  before: number;
  after: number;
}

/** The first minute with another offset than at `begins`, milliseconds since 1970. */
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

/** The due times for a local time of an expression around a clock change. */
const dueAt = (local: number, { at, before, after }: Change, { isElapsed }: CronExpression): number[] => {
  const forward = after - before;
  const shown = [local - before, local - after].filter((time, index) => (index === 0 ? time < at : time >= at));
  if (shown.length === 0) {
    const isMadeUp = forward < (isElapsed ? SHORT_SKIP : THREE_HOURS);
    return isMadeUp ? [at] : [];
  }
  return isElapsed || -forward > THREE_HOURS ? shown : shown.slice(0, 1);
};
