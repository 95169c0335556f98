/**
 * A moment, as used in events, documents and answers: UTC with six fractional digits and no
 * suffix, `2026-11-20T15:04:05.123000` (decisions.md: HTTP rules, Timestamps out). All instants
 * have the same length, so they compare as strings.
 */
export type Instant = string;

/** A calendar day, `YYYY-MM-DD`. */
export type Day = string;

export const INSTANT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$';

/** A request asks for the same instant several times. */
let last = { milliseconds: 0, instant: '1970-01-01T00:00:00.000000' };

/** The instant of a number of milliseconds since 1970. */
export const instantOf = (milliseconds: number): Instant => {
  if (milliseconds !== last.milliseconds) {
    last = { milliseconds, instant: `${new Date(milliseconds).toISOString().slice(0, -1)}000` };
  }
  return last.instant;
};

/** Milliseconds since 1970; digits below a millisecond are dropped. */
export const millisecondsOf = (instant: Instant): number => Date.parse(`${instant.slice(0, 23)}Z`);

/** The instant a number of milliseconds before another one, which keeps its microseconds. */
export const before = (instant: Instant, milliseconds: number): Instant =>
  `${instantOf(millisecondsOf(instant) - milliseconds).slice(0, 23)}${instant.slice(23)}`;

/** The instant a number of milliseconds after another one, which keeps its microseconds. */
export const after = (instant: Instant, milliseconds: number): Instant => before(instant, -milliseconds);

export const laterOf = (a: Instant, b: Instant): Instant => (a > b ? a : b);

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Reads an ISO 8601 time as clients send it; without a designator it is UTC, a bare date is its
 * first instant (decisions.md: HTTP rules, Timestamps in). Microseconds are kept.
 *
 * @returns null if the text is not a time
 */
export const parseInstant = (text: string): Instant | null => {
  const match = ISO_8601.exec(text.trim());
  if (!match) return null;
  const [, day = '', clock = '00:00', seconds = '00', fraction = '', zone = 'Z'] = match;
  const offset = /^[Zz]$/.test(zone)
    ? 'Z'
    : zone.length === 3
      ? `${zone}:00`
      : zone.includes(':')
        ? zone
        : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const milliseconds = Date.parse(`${day}T${clock}:${seconds}${offset}`);
  if (Number.isNaN(milliseconds) || !isCalendarDay(day)) return null;
  const iso = new Date(milliseconds).toISOString();
  // Beyond the year 9999 it is longer.
  return iso.length === 24 && !iso.startsWith('0000')
    ? `${iso.slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}`
    : null;
};

/** Whether `YYYY-MM-DD` names a day of the calendar (30 February does not, nor does any day of the year 0). */
export const isCalendarDay = (day: string): boolean => {
  if (day.startsWith('0000')) return false;
  const milliseconds = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(day);
};
