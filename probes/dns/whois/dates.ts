const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Which of two numbers is first in a date such as 04/12/2027. */
export type DateOrder = 'day' | 'month';

/** A time of day, optionally with fractions of a second and with a zone (UTC if absent). */
const TIME = String.raw`(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?(?:\s*([AP]M)\b)?(?:\s*\(?((?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|[A-Za-z]{1,5}))?)?`;

/** Date formats of registries, each with the positions of year, month and day. */
const FORMS: readonly [RegExp, order: readonly [number, number, number]][] = [
  // 2027-01-31T12:00:00Z, 2027.01.31, 2027/01/31 12:00:00, 2027. 01. 31.
  [new RegExp(String.raw`^(\d{4})[-./]\s?(\d{1,2})[-./]\s?(\d{1,2})\.?${TIME}`), [1, 2, 3]],
  // 20270131
  [new RegExp(String.raw`^(\d{4})(\d{2})(\d{2})(?!\d)${TIME}`), [1, 2, 3]],
  // 31-Jan-2027, 31 January 2027, 31st January, 2027
  [new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)?[-\s]([A-Za-z]{3})[a-z]*[-\s,]+(\d{4})${TIME}`, 'i'), [3, 2, 1]],
  // 2027-Jan-31
  [new RegExp(String.raw`^(\d{4})[-\s]([A-Za-z]{3})[a-z]*[-\s](\d{1,2})\.?${TIME}`, 'i'), [1, 2, 3]],
  // Jan 31, 2027
  [new RegExp(String.raw`^([A-Za-z]{3})[a-z]*\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${TIME}`, 'i'), [3, 1, 2]],
  // 31.01.2027: with dots, the day always comes first
  [new RegExp(String.raw`^(\d{1,2})\.(\d{1,2})\.(\d{4})${TIME}`), [3, 2, 1]],
];
/** Matches 31/01/2027, 31-01-2027, 01/31/2027: whether day or month comes first varies. */
const EITHER = new RegExp(String.raw`^(\d{1,2})[-/](\d{1,2})[-/](\d{4})${TIME}`);

/** The format of the Unix command `date`, with the year at the end: Wed Jan 31 12:00:00 UTC 2027. */
const UNIX = /^[A-Za-z]{3}\s+([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}:\d{2}:\d{2})\s+(?:([A-Za-z]{1,5})\s+)?(\d{4})$/;
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+/i;

/** Unambiguous zones, in hours ahead of UTC; CST and IST, for example, are ambiguous. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, EAT: 3, TRT: 3, TMT: 5 },
  ...{ ICT: 7, HKT: 8, SGT: 8, MYT: 8, JST: 9, KST: 9, NZST: 12, NZDT: 13 },
  ...{ CLT: -4, CLST: -3, BRT: -3, ART: -3, UYT: -3 },
};

/**
 * Parses a registry's date and returns it in ISO 8601 and UTC; null if the text is not a date, or is ambiguous. A date
 * without a time counts as midnight, and an unknown zone as UTC.
 *
 * @param order the order of day and month if both are numbers; null if unknown
 */
export const isoDate = (text: string, order: DateOrder | null = null): string | null => {
  const plain = text
    .trim()
    .replace(UNIX, (_, month: string, day: string, time: string, zone: string | undefined, year: string) =>
      [month, day, year, time, zone ?? ''].join(' ').trim(),
    )
    .replace(WEEKDAY, '');
  for (const [form, places] of FORMS) {
    const found = form.exec(plain);
    if (found) return timeOf(places.map((place) => found[place] ?? '') as Texts, found.slice(4));
  }
  const found = EITHER.exec(plain);
  if (!found) return null;
  const [, first = '', second = '', year = ''] = found;
  const monthFirst = isMonthFirst(Number(first), Number(second), order);
  if (monthFirst === null) return null;
  return timeOf(monthFirst ? [year, first, second] : [year, second, first], found.slice(4));
};

type Texts = [year: string, month: string, day: string];

/** Returns whether the first number is the month; null if the order is ambiguous. */
const isMonthFirst = (first: number, second: number, order: DateOrder | null): boolean | null => {
  if (first > 12 || first === second) return false;
  if (second > 12) return true;
  return order === null ? null : order === 'month';
};

const monthOf = (text: string): number =>
  /^\d+$/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;

/** Returns the number of minutes by which a zone is ahead of UTC. */
const minutesOf = (zone = 'Z'): number => {
  const [, sign, hours, minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined) return (ZONES[zone.toUpperCase()] ?? 0) * 60;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

/** @param time hours, minutes, seconds, AM or PM, zone */
const timeOf = (date: Texts, time: readonly (string | undefined)[]): string | null => {
  const [year, month, day] = [Number(date[0]), monthOf(date[1]), Number(date[2])];
  const [hours = '0', minutes = '0', seconds = '0', half, zone] = time;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // Rejects dates such as 31 February, which would become a day in March.
  const real = year >= 1_980 && midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  if (!real || hour > 24 || Number(minutes) > 59) return null;
  return new Date(
    Date.UTC(year, month - 1, day, hour, Number(minutes) - minutesOf(zone), Number(seconds)),
  ).toISOString();
};
