import { DAY_MS, HOUR_MS, millisecondsOf, type Day, type Instant } from '../time.ts';

/** An upper bound of the offsets from UTC of all time zones, past and present, in milliseconds. */
const FURTHEST_OFFSET = 17 * HOUR_MS;
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
    return `${parts.get('year')?.padStart(4, '0') ?? ''}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`;
  };

  /** Finds the start of a day by binary search. */
  const search = (day: Day): number => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    let before = midnight - FURTHEST_OFFSET;
    let start = midnight + FURTHEST_OFFSET;
    while (start - before > 1) {
      const middle = Math.floor((before + start) / 2);
      if (dayAt(middle) < day) before = middle;
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
