import { Invalid } from '../errors.ts';
import { isCalendarDay, type Day } from '../time.ts';
import { daysInMonth, FIRST_DAY, LAST_DAY, minusMonths, plusDays } from './days.ts';

/** Length of the default range in days (docs/reference/uptime.md#range). */
const DEFAULT_DAYS = 90;
/** Maximum length of a range in months (docs/reference/uptime.md#limits-of-the-range). */
const MAX_MONTHS = 6;
/** The earliest supported date (docs/reference/uptime.md#limits-of-the-range). */
export const EARLIEST: Day = '1970-01-01';

/** `start` and `end` in a request: a date, a month `YYYY-MM` or a year `YYYY`. */
export interface RangeQuery {
  start?: string;
  end?: string;
}

/** The days that are measured for a request. */
export interface UptimeRange {
  start: Day;
  end: Day;
  warnings: string[];
  /** Whether the whole range is in the future, or before the component existed. Such a range has no maximum length. */
  outside: boolean;
}

/** The days in a request. A field that the request omits is null. */
export interface RequestedDays {
  start: Day | null;
  end: Day | null;
}

/** Whether a text is a valid date, month or year. */
export const isRangeDate = (text: string): boolean => firstDay(text) !== undefined;

export const RANGE_DATE_SENTENCE = 'Must be a date such as 2026-11-20, a month or a year.';

/**
 * Parses `start` and `end`. Requires that the start is not after the end, which is `today` if omitted
 * (docs/reference/uptime.md#range).
 *
 * @throws Invalid (400) a date is invalid, or the start is after the end
 */
export const requestedDays = ({ start, end }: RangeQuery, today: Day): RequestedDays => {
  const days = { start: start === undefined ? null : firstDay(start), end: end === undefined ? null : lastDay(end) };
  const broken: Record<string, string[]> = {};
  for (const field of ['start', 'end'] as const) {
    if (days[field] === undefined) broken[field] = [RANGE_DATE_SENTENCE];
  }
  if (Object.keys(broken).length > 0) throw new Invalid({ query: broken });
  if (days.start && days.start > (days.end ?? today)) {
    throw new Invalid({ query: { start: ['Must not be after end.'] } }, 'The range starts after its end.');
  }
  return { start: days.start ?? null, end: days.end ?? null };
};

/**
 * Rejects a query that is invalid on every day. Other queries can only be validated with the current day.
 *
 * @throws Invalid (400)
 */
export const requireRange = (query: RangeQuery): void => {
  requestedDays(query, LAST_DAY);
};

const firstDay = (text: string): Day | undefined => {
  if (text.startsWith('0000')) return undefined;
  if (/^\d{4}$/.test(text)) return `${text}-01-01`;
  return wholeDay(/^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text);
};

const lastDay = (text: string): Day | undefined => {
  const first = firstDay(text);
  if (first === undefined || first === text) return first;
  if (text.length === 4) return `${text}-12-31`;
  const [year = 0, month = 1] = text.split('-').map(Number);
  return `${text}-${daysInMonth(year, month)}`;
};

const wholeDay = (text: string): Day | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? text : undefined;

const laterDay = (a: Day, b: Day): Day => (a > b ? a : b);

/**
 * Returns the days for which the uptime of a component is measured (docs/reference/uptime.md#limits-of-the-range).
 *
 * @param today the current day in the page's time zone
 * @param exists the component's first day in the page's time zone
 */
export const rangeOf = (sent: RequestedDays, today: Day, exists: Day): UptimeRange => {
  const firstDay = laterDay(exists, EARLIEST);
  const end = sent.end ?? today;
  const start = sent.start ?? defaultStart(end, today, firstDay);
  // A range outside of the component's existence contains no measurable day, so it can't be shortened to a valid range.
  if (end < firstDay || start > today) return { start, end, warnings: [], outside: true };
  return clamped({ start, end, warnings: [], outside: false }, today, firstDay);
};

/**
 * Returns the default start, which is counted back from today. If this start would be after `end`, returns a start that
 * is counted back from `end`.
 */
const defaultStart = (end: Day, today: Day, firstDay: Day): Day => {
  const usual = laterDay(firstDay, plusDays(today, -DEFAULT_DAYS));
  if (usual <= end) return usual;
  const counted = laterDay(FIRST_DAY, plusDays(end, -DEFAULT_DAYS));
  return firstDay <= end ? laterDay(firstDay, counted) : counted;
};

const clamped = ({ start, end, warnings, outside }: UptimeRange, today: Day, firstDay: Day): UptimeRange => {
  if (end > today) {
    end = today;
    warnings.push(`The end of the range is in the future; today, ${end}, was used.`);
  }
  if (start < firstDay && firstDay <= end) {
    start = firstDay;
    warnings.push(
      firstDay === EARLIEST
        ? `The start of the range is before the earliest supported date; ${start} was used.`
        : `The start of the range is before the component existed; ${start} was used.`,
    );
  }
  const earliest = plusDays(minusMonths(end, MAX_MONTHS), 1);
  if (start < earliest) {
    start = earliest;
    warnings.push(`The range is longer than six months; it was shortened to start on ${start}.`);
  }
  return { start, end, warnings, outside };
};
