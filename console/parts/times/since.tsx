import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { numberFormat } from '../number-format.ts';
import { language } from '../../shell/language.ts';
import { pastTime } from './shown-time.ts';

/** The current time for durations on screens that show the present. */
const now = signal(Date.now());
const TICK_MS = 10_000;

let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const watch = (): (() => void) => {
  if (watchers === 0) {
    now.value = Date.now();
    timer = setInterval(() => {
      now.value = Date.now();
    }, TICK_MS);
  }
  watchers += 1;
  return () => {
    watchers -= 1;
    if (watchers === 0) clearInterval(timer);
  };
};

/** Returns an API time (UTC without a designator) in milliseconds since 1970. */
export const momentOf = (instant: string): number => Date.parse(`${instant}Z`);

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a duration in its two largest units, without the comma that browsers insert: `1 hr 12 min`. */
export const durationOf = (seconds: number, locale: string): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const at = Math.max(
    0,
    UNITS.findIndex(([, size]) => whole >= size),
  );
  const [first, second] = whole === 0 ? [UNITS[3]] : UNITS.slice(at, at + 2);
  const say = (count: number, unit: string): string =>
    numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
  if (!first) return '';
  const rest = second ? Math.floor((whole % first[1]) / second[1]) : 0;
  const large = say(Math.floor(whole / first[1]), first[0]);
  return second && rest > 0 && second[0] !== 'second' ? `${large} ${say(rest, second[0])}` : large;
};

/** Returns a function that creates a time format for a language and caches it. */
const formatOf = (options: Intl.DateTimeFormatOptions): ((locale: string) => Intl.DateTimeFormat) => {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (locale) => {
    const format = made.get(locale) ?? new Intl.DateTimeFormat(locale, options);
    made.set(locale, format);
    return format;
  };
};
const fullFormat = formatOf({ dateStyle: 'medium', timeStyle: 'long' });
/** Returns an API time as text in the browser's zone, with seconds and the zone. */
export const fullText = (instant: string): string => fullFormat(language.value).format(momentOf(instant));
const shortFormat = formatOf({ dateStyle: 'medium', timeStyle: 'short' });

/** An API time in the browser's zone; a tooltip names the zone. */
export const Moment = ({ instant }: { instant: string }): JSX.Element => {
  const moment = momentOf(instant);
  return (
    <time dateTime={`${instant}Z`} title={fullText(instant)}>
      {shortFormat(language.value).format(moment)}
    </time>
  );
};

const unchanged = (duration: string): string => duration;

/**
 * Shows how long something has lasted, with the start time as a tooltip.
 *
 * @param as inserts the duration into a text: `12 min ago`
 */
export const Since = ({
  instant,
  as = unchanged,
}: {
  instant: string;
  as?: (duration: string) => string;
}): JSX.Element => {
  useEffect(watch, []);
  const moment = momentOf(instant);
  return (
    <time dateTime={`${instant}Z`} title={fullText(instant)}>
      {as(durationOf(((pastTime.value ?? now.value) - moment) / 1_000, language.value))}
    </time>
  );
};
