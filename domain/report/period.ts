import { isCalendarDay, parseInstant, type Instant } from '../time.ts';
import { calendarOf } from '../uptime/days.ts';
import { firstInstantOf, lastInstantOf, lastPeriodOf, type ReportPeriod } from './scheduled-periods.ts';
import type { Schedule } from './events.ts';

/** The period in a request for a report. Start and end are times, or dates in the report's time zone. */
export interface PeriodInput {
  period_start?: string | undefined;
  period_end?: string | undefined;
  schedule: Schedule | null;
  time_zone: string;
}

/** The time span for which results are stored. */
export interface StoredResults {
  /** the first instant with results */
  from: Instant;
  now: Instant;
}

export type PeriodErrors = { [F in keyof ReportPeriod]?: string[] };

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text);

/** Whether a text is a valid time or a valid date. */
export const isTime = (text: string): boolean => parseInstant(text) !== null;

const REQUIRED = 'Missing required field.';

/**
 * Returns the period of a request. If the start is a date, the period starts at the first instant of that day; if the
 * end is a date, the period ends at the last instant of that day. If the request has a schedule, but neither start nor
 * end, the period is the most recent complete week or month. An end in the future is replaced by the current time.
 *
 * @returns errors if the period is invalid, or starts before the first stored result
 */
export const reportPeriodOf = (
  { period_start, period_end, schedule, time_zone }: PeriodInput,
  { from, now }: StoredResults,
): ReportPeriod | { errors: PeriodErrors } => {
  if (schedule !== null && period_start === undefined && period_end === undefined) {
    const last = lastPeriodOf(schedule, time_zone, now);
    return { period_start: clamped(last.period_start, from), period_end: clamped(last.period_end, from) };
  }
  if (period_start === undefined || period_end === undefined) {
    return {
      errors: {
        ...(period_start === undefined && { period_start: [REQUIRED] }),
        ...(period_end === undefined && { period_end: [REQUIRED] }),
      },
    };
  }
  const calendar = calendarOf(time_zone);
  const start = isDay(period_start) ? firstInstantOf(period_start, calendar) : (parseInstant(period_start) ?? '');
  const sent = isDay(period_end) ? lastInstantOf(period_end, calendar) : (parseInstant(period_end) ?? '');
  const end = sent > now ? now : sent;
  if (start >= sent) return { errors: { period_start: ['Must be before period_end.'] } };
  if (start >= now) return { errors: { period_start: ['Must be in the past.'] } };
  if (start < from) {
    return {
      errors: { period_start: [`Must not be before ${from.slice(0, 19)}Z: older results are no longer stored.`] },
    };
  }
  return { period_start: start, period_end: end };
};

const clamped = (instant: Instant, from: Instant): Instant => (instant < from ? from : instant);

export const isPeriodErrors = (found: ReportPeriod | { errors: PeriodErrors }): found is { errors: PeriodErrors } =>
  'errors' in found;
