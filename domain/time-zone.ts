import { HOUR_MS, type Day, type Instant } from './time.ts';
import { calendarOf } from './uptime/days.ts';

/** Whether a text is the name of an IANA time zone, such as `Europe/Moscow`. An offset such as `+03:00` is not. */
export const isTimeZone = (text: string): boolean => {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
};

/** Returns the calendar day of an instant in a time zone. */
export const dayIn = (instant: Instant, timeZone: string): Day => calendarOf(timeZone).dayOf(instant);

/**
 * Returns the offset of a time zone from UTC at a moment. Both are in milliseconds; the moment is counted since 1970.
 */
export type OffsetAt = (moment: number) => number;

/** Maximum number of cached time zones. Clients can send many spellings of their names, so the cache needs a limit. */
const MAX_ZONES = 1_000;
const zones = new Map<string, OffsetAt>();

/** Returns the function that computes the offsets of an IANA time zone. @throws RangeError the zone does not exist */
export const offsetsOf = (timeZone: string): OffsetAt => {
  const known = zones.get(timeZone);
  if (known) return known;
  const offsetAt = timeZone === 'UTC' ? () => 0 : offsetsBy(timeZone);
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(timeZone, offsetAt);
  return offsetAt;
};

/** Offsets at midnight and noon (UTC) are needed often, so they are cached. */
const HALF_DAY_MS = 12 * HOUR_MS;
const MAX_HALF_DAYS = 200;

const offsetsBy = (timeZone: string): OffsetAt => {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (moment: number): number => {
    const second = Math.floor(moment / 1_000) * 1_000;
    const parts = new Map(format.formatToParts(second).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local - second;
  };
  const known = new Map<number, number>();
  return (moment) => {
    if (moment % HALF_DAY_MS !== 0) return offsetAt(moment);
    const offset = known.get(moment) ?? offsetAt(moment);
    if (known.size >= MAX_HALF_DAYS) known.clear();
    known.set(moment, offset);
    return offset;
  };
};
