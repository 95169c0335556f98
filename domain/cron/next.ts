import { offsetsOf, type OffsetAt } from '../time-zone.ts';
import { datesFrom } from './dates.ts';
import type { CronExpression } from './expression.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Clocks that change by up to three hours change for summer or winter; by more, they are set anew. */
const THREE_HOURS = 3 * HOUR;
/** What is skipped by less than this is made up for, whatever it goes by. */
const MOMENT = 5 * MINUTE;

/**
 * When an expression is due next in a time zone, as Debian's cron runs jobs (cron(8), "Notes"): what goes by the clock
 * on the wall is due once, where clocks go back at the first of two times, and where they go forward over its time as
 * soon as they have. What goes by elapsed time is due as often as the clocks show its times.
 *
 * @param after milliseconds since 1970; a moment at which it is due itself does not count
 * @returns milliseconds since 1970; null: never
 */
export const nextDue = (expression: CronExpression, timeZone: string, after: number): number | null => {
  const offsetAt = offsetsOf(timeZone);
  // Clocks that go back over midnight repeat the end of the day before.
  const first = Math.floor((after + offsetAt(after)) / DAY) - 1;
  let earliest: number | null = null;
  for (const date of datesFrom(expression, first)) {
    const { at, mayInterleave } = firstOn(expression, date * DAY, offsetAt, after);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
    // Where clocks go back over midnight, the next date begins before this one ends.
    if (earliest !== null && (!mayInterleave || at === null || at > earliest)) return earliest;
  }
  return earliest;
};

/** When an expression is first due on a date after a moment; null: it is not. */
const firstOn = (
  expression: CronExpression,
  midnight: number,
  offsetAt: OffsetAt,
  after: number,
): { at: number | null; mayInterleave: boolean } => {
  // No zone is further than 15 hours from UTC.
  const [begins, ends] = [midnight - 36 * HOUR, midnight + DAY + 36 * HOUR];
  const [offset, later] = [offsetAt(begins), offsetAt(ends)];
  if (offset === later) {
    const from = Math.floor((after + offset - midnight) / MINUTE) + 1;
    const minute = firstMinute(expression, Math.max(0, from));
    return { at: minute === null ? null : midnight + minute * MINUTE - offset, mayInterleave: false };
  }
  const change: Change = { at: changeBetween(begins, ends, offsetAt), before: offset, after: later };
  const due = expression.hours
    .flatMap((hour) => expression.minutes.map((minute) => midnight + hour * HOUR + minute * MINUTE))
    .flatMap((local) => dueAt(local, change, expression))
    .filter((at) => at > after);
  return { at: due.length === 0 ? null : due.reduce((one, other) => Math.min(one, other)), mayInterleave: true };
};

/** The first minute of a day from a minute on, both counted from midnight; null: there is none. */
const firstMinute = ({ hours, minutes }: CronExpression, from: number): number | null => {
  for (const hour of hours) {
    const minute = minutes.find((one) => hour * 60 + one >= from);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return null;
};

/** A change of the clocks. */
interface Change {
  /** milliseconds since 1970 */
  at: number;
  /** offsets from UTC, milliseconds */
  before: number;
  after: number;
}

/** The first minute with another offset than the first one, milliseconds since 1970. */
const changeBetween = (begins: number, ends: number, offsetAt: OffsetAt): number => {
  const before = offsetAt(begins);
  let [same, other] = [Math.floor(begins / MINUTE), Math.ceil(ends / MINUTE)];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(middle * MINUTE) === before) same = middle;
    else other = middle;
  }
  return other * MINUTE;
};

/** When something is due whose time is a local one of an expression, around a change of the clocks. */
const dueAt = (local: number, { at, before, after }: Change, { isElapsed }: CronExpression): number[] => {
  const forward = after - before;
  const shown = [local - before, local - after].filter((time, index) => (index === 0 ? time < at : time >= at));
  if (shown.length === 0) {
    const isMadeUp = forward < (isElapsed ? MOMENT : THREE_HOURS);
    return isMadeUp ? [at] : [];
  }
  return isElapsed || -forward > THREE_HOURS ? shown : shown.slice(0, 1);
};
