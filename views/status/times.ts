import { isTimeZone } from '../../domain/time-zone.ts';
import { millisecondsOf, type Day, type Instant } from '../../domain/time.ts';
import { timesOf } from '../../messages/times.ts';
import { wordsFor } from '../../messages/words/index.ts';

/** Formats times for a page, in one language and one time zone. */
export interface PageTimes {
  /** name in the IANA time zone database */
  zone: string;
  /** `Nov 20, 2026, 15:04 UTC` */
  moment: (instant: Instant) => string;
  /** `Nov 20, 2026, 15:04 – 16:00 UTC` */
  span: (from: Instant, until: Instant) => string;
  /** a calendar day with its weekday: `Friday, November 20` */
  day: (day: Day) => string;
  /** `2026-11` → `November 2026` */
  month: (month: string) => string;
  /** `1 h 12 min` */
  duration: (seconds: number) => string;
  /** `142 ms` */
  milliseconds: (value: number) => string;
  /**
   * formats a fraction from 0 to 1 with two decimals, or with three from 99.9 % on: `99.71 %`. The result is 100 % only
   * if the fraction is exactly 1
   */
  percentage: (fraction: number) => string;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const made = new Map<string, PageTimes>();
const MOST_MADE = 500;

/**
 * Returns the cached formats of a language and a time zone.
 *
 * @param zone time zone of the page; an unknown zone counts as UTC
 */
export const pageTimes = (language: string, zone: string): PageTimes => {
  const key = `${language} ${zone}`;
  const known = made.get(key);
  if (known) return known;
  // Formats are cached, because creating an `Intl` format takes a thousand times as long as using it.
  if (made.size >= MOST_MADE) made.clear();
  const times = makeTimes(language, isTimeZone(zone) ? zone : 'UTC');
  made.set(key, times);
  return times;
};

const makeTimes = (language: string, zone: string): PageTimes => {
  const { moment, span } = timesOf(wordsFor(language), zone);
  const utc = { timeZone: 'UTC' } as const;
  const days = new Intl.DateTimeFormat(language, { ...utc, weekday: 'long', month: 'long', day: 'numeric' });
  const months = new Intl.DateTimeFormat(language, { ...utc, year: 'numeric', month: 'long' });
  const units = UNITS.map(
    ([unit, length]) =>
      [
        new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'narrow' : 'short' }),
        length,
      ] as const,
  );
  const thousandths = new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' });
  const percent = (digits: number): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits });
  const [whole, two, three] = [percent(0), percent(2), percent(3)];
  return {
    zone,
    moment,
    span,
    day: (day) => days.format(Date.parse(`${day}T00:00:00Z`)),
    month: (month) => months.format(Date.parse(`${month}-01T00:00:00Z`)),
    duration: (seconds) => {
      let left = Math.max(0, Math.round(seconds));
      const first = units.findIndex(([, length]) => left >= length);
      if (first === -1) return units.at(-1)?.[0].format(0) ?? '';
      return units
        .slice(first, first + 2)
        .flatMap(([format, length]) => {
          const count = Math.floor(left / length);
          left -= count * length;
          return count === 0 ? [] : [format.format(count)];
        })
        .join(' ');
    },
    milliseconds: (value) => thousandths.format(Math.round(value)),
    percentage: (fraction) => {
      if (fraction >= 1) return whole.format(1);
      // Round down, so that the uptime of a component with an outage is never shown as 100 %.
      const digits = fraction >= 0.999 ? 3 : 2;
      const steps = 10 ** (digits + 2);
      return (digits === 3 ? three : two).format(Math.floor(fraction * steps + 1e-6) / steps);
    },
  };
};

/**
 * Returns an instant for the `datetime` attribute of a `<time>` element. HTML allows no parts below milliseconds there.
 */
export const machineTime = (instant: Instant): string => new Date(millisecondsOf(instant)).toISOString();
