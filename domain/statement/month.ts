import { Invalid } from '../errors.ts';
import type { Instant } from '../time.ts';
import { daysInMonth, plusDays, type Calendar } from '../uptime/days.ts';
import { EARLIEST } from '../uptime/range.ts';

/** A month in the time zone of a page; times in milliseconds since 1970. */
export interface StatementMonth {
  /** start of each day */
  starts: number[];
  /** exclusive end of the month */
  end: number;
}

/** Matches a month such as `2026-10`. */
export const MONTH_PATTERN = '^\\d{4}-(0[1-9]|1[0-2])$';
const MONTH = new RegExp(MONTH_PATTERN);

/** Whether a text is a month for which a statement can exist: from 1970 to 9998. */
export const isStatementMonth = (text: string): boolean =>
  MONTH.test(text) && text >= EARLIEST.slice(0, 7) && text < '9999';

/**
 * Requires a month that has begun in the time zone of the page.
 *
 * @throws Invalid (400)
 */
export const requireStatementMonth = (month: string, calendar: Calendar, now: Instant): void => {
  const sentence = !isStatementMonth(month)
    ? 'Must be a month such as 2026-10, from 1970 on.'
    : month > calendar.dayOf(now).slice(0, 7)
      ? 'Must not be in the future.'
      : null;
  if (sentence !== null) throw new Invalid({ path: { month: [sentence] } }, `The month is invalid. ${sentence}`);
};

/** Returns the days of a month. */
export const statementMonth = (month: string, calendar: Calendar): StatementMonth => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const length = daysInMonth(year, number);
  const starts = Array.from({ length }, (_, index) => calendar.startOf(plusDays(`${month}-01`, index)));
  return { starts, end: calendar.startOf(plusDays(`${month}-01`, length)) };
};
