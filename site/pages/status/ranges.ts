import { HOUR_MS, type Instant, millisecondsOf } from '../../../domain/time.ts';
import { calendarOf, plusDays } from '../../../domain/uptime/days.ts';
import type { RangeName } from '../../../views/status/components.tsx';

/** The parts of time that the bars of a range represent. */
export interface BarRange {
  name: RangeName;
  /** start times of the parts, ascending, in milliseconds since 1970 */
  starts: readonly number[];
  /** end of the last part, in milliseconds since 1970 */
  end: number;
  /** whether each part is a day in the page's time zone */
  days: boolean;
}

const DAYS = { '30d': 30, '90d': 90 } as const;
/**
 * Number and length of the parts of short ranges: `24h` has 48 parts of half an hour, `7d` has 84 parts of two hours.
 */
const HOURS = { '24h': { count: 48, length: HOUR_MS / 2 }, '7d': { count: 84, length: 2 * HOUR_MS } } as const;

/** Returns the parts of a range that ends now. */
export const barRange = (name: RangeName, now: Instant, timeZone: string): BarRange => {
  if (name === '24h' || name === '7d') {
    const { count, length } = HOURS[name];
    const end = Math.ceil((millisecondsOf(now) + 1) / length) * length;
    return {
      name,
      starts: Array.from({ length: count }, (_, index) => end - (count - index) * length),
      end,
      days: false,
    };
  }
  const calendar = calendarOf(timeZone);
  const today = calendar.dayOf(now);
  const count = DAYS[name];
  const starts = Array.from({ length: count }, (_, index) => calendar.startOf(plusDays(today, index + 1 - count)));
  return { name, starts, end: calendar.startOf(plusDays(today, 1)), days: true };
};
