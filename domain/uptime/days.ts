import { DAY_MS, HOUR_MS, millisecondsOf, type Day, type Instant } from '../time.ts';

/** An upper bound of the offsets from UTC of all time zones, past and present, in milliseconds. */
const FURTHEST_OFFSET = 17 * HOUR_MS;
/** The first and the last day of the calendar. Only their years and those between have four digits and no era. */
export const FIRST_DAY: Day = '0001-01-01';
export const LAST_DAY: Day = '9999-12-31';
/** The first and the last instant of the calendar in UTC, in milliseconds since 1970. */
export const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Converts between instants and the days of a time zone. */
export interface Calendar {
  /** Returns the day of an instant. */
  dayOf: (instant: Instant) => Day;
  /** Returns the start of a day in milliseconds since 1970: midnight, or later if clocks skip midnight on that day. */
  startOf: (day: Day) => number;
}

/** @param timeZone IANA name of the time zone, such as `Europe/Moscow` */
export const calendarOf = (timeZone: string): Calendar => {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const starts = new Map<Day, number>();

  const dayAt = (milliseconds: number): Day => {
    const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
    const month = parts.get('month') ?? '';
    // The year before the year 1 has the number 1 too, in another era.
    const isYear0 = milliseconds < FIRST_TIME + DAY_MS && month === '12';
    const year = isYear0 ? '0000' : (parts.get('year')?.padStart(4, '0') ?? '');
    return `${year}-${month}-${parts.get('day') ?? ''}`;
  };

  /** Finds the start of a day by binary search. */
  const search = (day: Day): number => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    let before = midnight - FURTHEST_OFFSET;
    let start = midnight + FURTHEST_OFFSET;
    while (start - before > 1) {
      const middle = Math.floor((before + start) / 2);
      if (isEarlier(dayAt(middle), day)) before = middle;
      else start = middle;
    }
    return start;
  };

  return {
    dayOf: (instant) => dayAt(millisecondsOf(instant)),
    startOf: (day) => {
      const known = starts.get(day);
      if (known !== undefined) return known;
      const start = search(day);
      starts.set(day, start);
      return start;
    },
  };
};

/** Compares days whose years may have five digits. */
const isEarlier = (one: Day, other: Day): boolean =>
  one.length === other.length ? one < other : one.length < other.length;

const dayOfUtc = (milliseconds: number): Day => new Date(milliseconds).toISOString().slice(0, 10);

export const plusDays = (day: Day, days: number): Day => dayOfUtc(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

/** Returns the same day of an earlier month, or the last day of that month if the month is shorter. */
export const minusMonths = (day: Day, months: number): Day => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const length = daysInMonth(first.getUTCFullYear(), first.getUTCMonth() + 1);
  return dayOfUtc(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date, length)));
};

/**
 * Returns the number of days in a month.
 *
 * @param month the month, from 1 for January
 */
export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
