import type { Day, Instant } from './time.ts';
import { calendarOf } from './uptime/days.ts';

/** Whether the text names a time zone of the IANA database, such as `Europe/Moscow`; offsets do not count. */
export const isTimeZone = (text: string): boolean => {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
};

/** The calendar day of a moment in a time zone. */
export const dayIn = (instant: Instant, timeZone: string): Day => calendarOf(timeZone).dayOf(instant);

/** How far a time zone is ahead of UTC at a moment; both in milliseconds, the moment since 1970. */
export type OffsetAt = (moment: number) => number;

/** Names may be written in many ways. */
const MOST_ZONES = 1_000;
const zones = new Map<string, OffsetAt>();

/** The offsets of a time zone of the IANA database. @throws RangeError there is no such zone */
export const offsetsOf = (timeZone: string): OffsetAt => {
  const known = zones.get(timeZone);
  if (known) return known;
  const offsetAt = timeZone === 'UTC' ? () => 0 : offsetsBy(timeZone);
  if (zones.size >= MOST_ZONES) zones.clear();
  zones.set(timeZone, offsetAt);
  return offsetAt;
};

/** Offsets at midnight and noon (UTC) are looked up again and again, so some are remembered. Milliseconds. */
const HALF_DAY = 12 * 3_600_000;
const MOST_HALF_DAYS = 200;

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
    if (moment % HALF_DAY !== 0) return offsetAt(moment);
    const offset = known.get(moment) ?? offsetAt(moment);
    if (known.size >= MOST_HALF_DAYS) known.clear();
    known.set(moment, offset);
    return offset;
  };
};
