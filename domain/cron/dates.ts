import type { CronExpression } from './expression.ts';
import { DAY_MS } from '../time.ts';

/** Number of days in 400 years, after which the Gregorian calendar repeats itself. */
const GREGORIAN_CYCLE = 146_097;

/**
 * Yields the dates that match an expression, in order, for at most 400 years. Dates are days since 1970-01-01.
 *
 * @param first the first date that may be yielded
 */
export function* datesFrom(expression: CronExpression, first: number): Generator<number, void> {
  const { months } = expression;
  const last = first + GREGORIAN_CYCLE;
  const start = new Date(first * DAY_MS);
  let [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  for (let begins = first; begins <= last;) {
    const monthBegins = Date.UTC(year, month, 1) / DAY_MS;
    const nextBegins = Date.UTC(year, month + 1, 1) / DAY_MS;
    if (months.has(month + 1)) {
      for (let day = begins; day < nextBegins; day++) {
        if (hasDay(expression, day - monthBegins + 1, day)) yield day;
      }
    }
    begins = nextBegins;
    [year, month] = month === 11 ? [year + 1, 0] : [year, month + 1];
  }
}

/** @param date day of the month @param day days since 1970-01-01; that day was a Thursday */
const hasDay = ({ days, weekdays, needsBothDays }: CronExpression, date: number, day: number): boolean => {
  const [isDate, isWeekday] = [days.has(date), weekdays.has((((day + 4) % 7) + 7) % 7)];
  return needsBothDays ? isDate && isWeekday : isDate || isWeekday;
};
