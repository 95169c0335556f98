import { isCalendarDay, parseInstant, type Instant } from '../time.ts';
import { calendarOf } from '../uptime/days.ts';
import { firstInstantOf, lastInstantOf, turnOf, type Period } from './schedule.ts';
import type { Schedule } from './events.ts';

/** The period of a report as a caller sends it: times, or dates in the report's time zone. */
export interface PeriodInput {
  period_start?: string | undefined;
  period_end?: string | undefined;
  schedule: Schedule | null;
  time_zone: string;
}

/** Of which time results are kept. */
export interface Kept {
  /** the first instant of which they are */
  from: Instant;
  now: Instant;
}

export type PeriodErrors = { [F in keyof Period]?: string[] };

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text);

/** Whether a text is a time or a date. */
export const isTime = (text: string): boolean => parseInstant(text) !== null;

const REQUIRED = 'Missing required field.';

/**
 * The period that a caller means: the first instant of a date as a start, its last one as an end. With a schedule, and
 * neither start nor end, it is the week or month that has ended last. It ends now at the latest.
 *
 * @returns what is wrong with it, if it does not lie within the time of which results are kept
 */
export const periodOf = (
  { period_start, period_end, schedule, time_zone }: PeriodInput,
  { from, now }: Kept,
): Period | { errors: PeriodErrors } => {
  if (schedule !== null && period_start === undefined && period_end === undefined) {
    const turn = turnOf(schedule, time_zone, now);
    return { period_start: clamped(turn.period_start, from), period_end: clamped(turn.period_end, from) };
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
    return { errors: { period_start: [`Must not be before ${from.slice(0, 19)}Z: results are kept since then.`] } };
  }
  return { period_start: start, period_end: end };
};

const clamped = (instant: Instant, from: Instant): Instant => (instant < from ? from : instant);

export const isPeriodErrors = (found: Period | { errors: PeriodErrors }): found is { errors: PeriodErrors } =>
  'errors' in found;
