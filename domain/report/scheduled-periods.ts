import { DAY_MS, instantOf, millisecondsOf, type Day, type Instant } from '../time.ts';
import { calendarOf, minusMonths, plusDays, type Calendar } from '../uptime/days.ts';
import type { Schedule } from './events.ts';

/** A period of time. Both instants are inclusive. */
export interface ReportPeriod {
  period_start: Instant;
  period_end: Instant;
}

/** Returns the first instant of a day. */
export const firstInstantOf = (day: Day, calendar: Calendar): Instant => instantOf(calendar.startOf(day));

/** Returns the last instant of a day. */
export const lastInstantOf = (day: Day, calendar: Calendar): Instant =>
  `${instantOf(calendar.startOf(plusDays(day, 1)) - 1).slice(0, -3)}999`;

/**
 * Returns the first day of the week (from Monday) or month that contains `day`, and the first days of the previous and
 * the next week or month.
 */
const boundaries = (schedule: Schedule, day: Day): { before: Day; first: Day; next: Day } => {
  if (schedule === 'weekly') {
    const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
    const first = plusDays(day, -sinceMonday);
    return { before: plusDays(first, -7), first, next: plusDays(first, 7) };
  }
  const first = `${day.slice(0, 8)}01`;
  return { before: minusMonths(first, 1), first, next: minusMonths(first, -1) };
};

/**
 * Returns the most recent complete week or month before `now` in a time zone. `next_run_at` is the end of the current
 * week or month, when the next report is due.
 */
export const lastPeriodOf = (
  schedule: Schedule,
  timeZone: string,
  now: Instant,
): ReportPeriod & { next_run_at: Instant } => {
  const calendar = calendarOf(timeZone);
  const { before, first, next } = boundaries(schedule, calendar.dayOf(now));
  return {
    period_start: firstInstantOf(before, calendar),
    period_end: lastInstantOf(plusDays(first, -1), calendar),
    next_run_at: firstInstantOf(next, calendar),
  };
};

/** Maximum time between two scheduled reports, in milliseconds. */
export const MAX_RUN_INTERVAL_MS = 32 * DAY_MS;

/** Returns the length of a period in whole seconds. */
export const secondsOfPeriod = ({ period_start, period_end }: ReportPeriod): number =>
  Math.max(0, Math.round((millisecondsOf(period_end) + 1 - millisecondsOf(period_start)) / 1_000));
