/** A schedule as a cron expression, with the time zone that the original expression named. */
export interface CronSchedule {
  schedule: string;
  timeZone: string | null;
}

const SHORTHANDS: Readonly<Record<string, string>> = {
  minutely: '* * * * *',
  hourly: '0 * * * *',
  daily: '0 0 * * *',
  weekly: '0 0 * * 1',
  monthly: '0 0 1 * *',
  quarterly: '0 0 1 1,4,7,10 *',
  semiannually: '0 0 1 1,7 *',
  'semi-annually': '0 0 1 1,7 *',
  yearly: '0 0 1 1 *',
  annually: '0 0 1 1 *',
};

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Converts one field, such as `8..18/2,22`; null if cron has no equivalent. `last` is the largest value of the field. */
const field = (text: string, last: number): string | null => {
  const parts = text.split(',').map((part) => {
    const [, from = '', , to, step] = /^(\*|\d{1,2})(\.\.(\d{1,2}))?(?:\/(\d{1,2}))?$/.exec(part.trim()) ?? [];
    if (from === '') return null;
    const range = from === '*' ? '*' : to === undefined ? String(Number(from)) : `${Number(from)}-${Number(to)}`;
    if (step === undefined) return range;
    return from === '*' || to !== undefined ? `${range}/${step}` : `${Number(from)}-${last}/${step}`;
  });
  return parts.includes(null) ? null : parts.join(',');
};

const dayNumber = (name: string): number => DAYS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** Converts days of the week, such as `Mon..Fri,Sun`. */
const weekdays = (text: string): string | null => {
  const parts = text.split(',').map((part) => {
    const [from = '', to] = part.split(/\.\.|-/);
    const [first, second] = [dayNumber(from), to === undefined ? null : dayNumber(to)];
    if (first === 0 || second === 0) return null;
    return second === null ? String(first) : `${first}-${second}`;
  });
  return parts.includes(null) ? null : parts.join(',');
};

const WEEKDAYS = /^[A-Za-z]{3,9}(?:(?:\.\.|-|,)[A-Za-z]{3,9})*$/;
const DATE = /^(?:([^-\s]+)-)?([^-\s]+)-([^-\s]+)$/;
const TIME = /^([^:\s]+):([^:\s]+)(?::([^:\s]+))?$/;
const ZONE = /^(?:UTC|[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+)$/;

/**
 * Converts a calendar expression of systemd (`Mon..Fri *-*-* 10:00`) to a cron expression.
 *
 * @returns null if cron has no equivalent, as for seconds, years, the last day of a month or several expressions
 */
export const cronOfCalendar = (expression: string): CronSchedule | null => {
  const words = expression.trim().split(/[ \t]+/);
  const zone = words.length > 1 && ZONE.test(words.at(-1) ?? '') ? words.pop() : undefined;
  const timeZone = zone ?? null;
  const shorthand = words.length === 1 ? SHORTHANDS[words[0]?.toLowerCase() ?? ''] : undefined;
  if (shorthand !== undefined) return { schedule: shorthand, timeZone };
  if (expression.includes('\n')) return null;
  const day = WEEKDAYS.test(words[0] ?? '') && !DATE.test(words[0] ?? '') ? weekdays(words.shift() ?? '') : '*';
  const date = DATE.exec(words[0] ?? '');
  if (date) words.shift();
  const time = TIME.exec(words[0] ?? '');
  if (time) words.shift();
  if (words.length > 0 || day === null || (!date && !time && day === '*')) return null;
  const [, year = '*', months = '*', daysOfMonth = '*'] = date ?? [];
  const [, hours = '0', minutes = '0', seconds = '0'] = time ?? [];
  const fields = [field(minutes, 59), field(hours, 23), field(daysOfMonth, 31), field(months, 12), day];
  // Cron takes a date if one of the two restricted day fields matches, systemd if both do.
  const isAmbiguous = day !== '*' && daysOfMonth !== '*';
  if (year !== '*' || !/^0+$/.test(seconds) || isAmbiguous || fields.includes(null)) return null;
  return { schedule: fields.join(' '), timeZone };
};
