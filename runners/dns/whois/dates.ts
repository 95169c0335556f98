const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A time of day, with what a registry adds to it: fractions, and a zone (UTC if absent). */
const TIME = String.raw`(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|UTC|GMT|\(JST\)|[+-]\d{2}(?::?\d{2})?)?)?`;

/** Year, month and day as registries write them; each form says where they are. */
const FORMS: readonly [RegExp, order: readonly [number, number, number]][] = [
  // 2027-01-31T12:00:00Z, 2027.01.31, 2027/01/31 12:00:00, 2027. 01. 31.
  [new RegExp(String.raw`^(\d{4})[-./]\s?(\d{1,2})[-./]\s?(\d{1,2})\.?${TIME}`), [1, 2, 3]],
  // 20270131
  [new RegExp(String.raw`^(\d{4})(\d{2})(\d{2})(?!\d)${TIME}`), [1, 2, 3]],
  // 31-Jan-2027, 31 January 2027
  [new RegExp(String.raw`^(\d{1,2})[-\s]([A-Za-z]{3})[a-z]*[-\s,]+(\d{4})${TIME}`), [3, 2, 1]],
  // 2027-Jan-31
  [new RegExp(String.raw`^(\d{4})[-\s]([A-Za-z]{3})[a-z]*[-\s](\d{1,2})\.?${TIME}`), [1, 2, 3]],
  // Jan 31, 2027
  [new RegExp(String.raw`^(?:[A-Za-z]{3}\s+)?([A-Za-z]{3})[a-z]*\s+(\d{1,2}),?\s+(\d{4})${TIME}`), [3, 1, 2]],
  // 31.01.2027, 31/01/2027, 31-01-2027: no registry writes the month first
  [new RegExp(String.raw`^(\d{1,2})[-./](\d{1,2})[-./](\d{4})${TIME}`), [3, 2, 1]],
];

/** Wed Jan 31 12:00:00 UTC 2027: the year comes last. */
const UNIX = /^[A-Za-z]{3}\s+([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}:\d{2}:\d{2})\s+(?:UTC|GMT)\s+(\d{4})$/;

/**
 * Reads a date as registries write it, and returns it in ISO 8601 and UTC; null if it is not a date. A date without a
 * time is midnight.
 */
export const isoDate = (text: string): string | null => {
  const plain = text.trim().replace(UNIX, '$1 $2 $4 $3');
  for (const [form, order] of FORMS) {
    const found = form.exec(plain);
    if (!found) continue;
    const [year, month, day] = order.map((index) => found[index] ?? '');
    const [hours, minutes, seconds, zone] = found.slice(4);
    return timeOf(
      [year, monthOf(month ?? ''), day].map(Number) as [number, number, number],
      [hours, minutes, seconds].map((part) => Number(part ?? 0)) as [number, number, number],
      minutesOf(zone),
    );
  }
  return null;
};

const monthOf = (text: string): number =>
  /^\d+$/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;

/** Minutes by which a zone is ahead of UTC. */
const minutesOf = (zone = 'Z'): number => {
  if (zone === '(JST)') return 9 * 60;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

type Three = [number, number, number];

const timeOf = ([year, month, day]: Three, [hours, minutes, seconds]: Three, ahead: number): string | null => {
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes - ahead, seconds));
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // 31 February would become a day in March.
  const real = year >= 1_980 && midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  return real && hours < 25 && minutes < 60 ? date.toISOString() : null;
};
