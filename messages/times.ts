import { isTimeZone } from '../domain/time-zone.ts';
import { millisecondsOf, type Instant } from '../domain/time.ts';
import type { Words } from './words/index.ts';

/** Formats instants in a language and in the page's time zone. */
export interface Times {
  moment: (instant: Instant) => string;
  /** formats a period. If it begins and ends on the same day, the day is named only once */
  span: (from: Instant, until: Instant) => string;
}

/** Cached formats. Creating an `Intl` format takes a thousand times as long as using it. */
const formats = new Map<string, (instant: Instant) => Moment>();
const MOST_FORMATS = 2_000;

export const timesOf = ({ language, times }: Words, timeZone: string): Times => {
  const read = reading(language, timeZone);
  const moment = (instant: Instant): string => {
    const { day, clock, zone } = read(instant);
    return times.moment(day, clock, zone);
  };
  return {
    moment,
    span: (from, until) => {
      const [start, end] = [read(from), read(until)];
      return start.day === end.day && start.zone === end.zone
        ? times.span(start.day, start.clock, end.clock, end.zone)
        : `${moment(from)} – ${moment(until)}`;
    },
  };
};

interface Moment {
  /** `Nov 20, 2026` */
  day: string;
  /** `15:04` */
  clock: string;
  /** `CET`, `UTC+3` */
  zone: string;
}

const reading = (language: string, timeZone: string): ((instant: Instant) => Moment) => {
  const key = `${language} ${timeZone}`;
  let read = formats.get(key);
  if (!read) {
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(key, (read = formatIn(language, timeZone)));
  }
  return read;
};

/**
 * The locales in which the name of a time zone is searched, by language. For English, British names come first, then
 * American names.
 */
const ZONE_LANGUAGES: Readonly<Record<string, readonly string[]>> = { en: ['en-GB', 'en-US'] };

const formatIn = (language: string, wanted: string): ((instant: Instant) => Moment) => {
  // If the page's time zone is missing from the time zone database of this machine, use UTC.
  const timeZone = isTimeZone(wanted) ? wanted : 'UTC';
  const days = new Intl.DateTimeFormat(language, { timeZone, dateStyle: language === 'en' ? 'medium' : 'long' });
  const clocks = new Intl.DateTimeFormat(language, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const zones = (ZONE_LANGUAGES[language] ?? [language]).map(
    (named) => new Intl.DateTimeFormat(named, { timeZone, timeZoneName: 'short' }),
  );
  return (instant) => {
    const at = millisecondsOf(instant);
    const names = zones.map((zone) => zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '');
    const zone = names.find((name) => !OFFSET.test(name)) ?? names[0] ?? timeZone;
    return { day: days.format(at), clock: clocks.format(at), zone: zone.replace(OFFSET, 'UTC') };
  };
};

/** Matches an offset such as `GMT+3`, which `Intl` returns if the zone has no name in a language. */
const OFFSET = /^GMT(?=[+\-−])/;
