/**
 * A parsed cron expression of five fields (docs/reference/heartbeats.md#schedules). The rules are those of Debian's
 * cron (crontab(5)).
 */
export interface CronExpression {
  /** 0 to 59, ascending */
  minutes: readonly number[];
  /** 0 to 23, ascending */
  hours: readonly number[];
  /** days of the month, from 1 */
  days: ReadonlySet<number>;
  /** 1 to 12 */
  months: ReadonlySet<number>;
  /** 0 is Sunday */
  weekdays: ReadonlySet<number>;
  /**
   * true: a date must match both `days` and `weekdays`, because one of these fields starts with `*`; false: one match
   * is enough
   */
  needsBothDays: boolean;
  /**
   * How the expression behaves when the clock changes. true: it follows elapsed time, because the minute or the hour
   * starts with `*`. false: it follows local time, and is due once if a local time is repeated or skipped.
   */
  isElapsed: boolean;
}

/** The allowed values of a field of a cron expression. */
interface FieldRule {
  name: string;
  low: number;
  high: number;
  /** three-letter names of the values, beginning with the value `low` */
  names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly FieldRule[] = [
  { name: 'minute', low: 0, high: 59, names: [] },
  { name: 'hour', low: 0, high: 23, names: [] },
  { name: 'day of the month', low: 1, high: 31, names: [] },
  { name: 'month', low: 1, high: 12, names: MONTHS },
  { name: 'day of the week', low: 0, high: 7, names: WEEKDAYS },
];

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** One part of a field: `*`, a value or a range. `*` and a range can have a step, such as `1-5/2`. */
const PART = /^(?:\*(?:\/(\d{1,9}))?|(\d{1,9}|[a-z]{3})(?:-(\d{1,9}|[a-z]{3})(?:\/(\d{1,9}))?)?)$/;

/** Maximum length of each month in days, from January on. */
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses a cron expression.
 *
 * @returns `problem` is the error message for an expression that is invalid or never due
 */
export const parseCron = (text: string): { expression: CronExpression } | { problem: string } => {
  const written = text.trim();
  const sources = (NICKNAMES[written.toLowerCase()] ?? written).split(/\s+/);
  if (sources.length !== FIELDS.length) {
    return { problem: 'Must be a cron expression of five fields, or @hourly, @daily, @weekly, @monthly or @yearly.' };
  }
  const values: ReadonlySet<number>[] = [];
  for (const [index, rule] of FIELDS.entries()) {
    const source = sources[index] ?? '';
    const read = valuesOf(source, rule);
    if (!read) return { problem: problemOf(source, rule) };
    values.push(read);
  }
  const expression = expressionOf(values, sources);
  return isEverDue(expression) ? { expression } : { problem: 'Must match a date that exists.' };
};

const ascending = (values: ReadonlySet<number>): number[] => [...values].sort((one, other) => one - other);

const expressionOf = (values: readonly ReadonlySet<number>[], sources: readonly string[]): CronExpression => {
  const [minutes, hours, days, months, weekdays] = values as [
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
  ];
  const [byMinute, byHour, byDay, , byWeekday] = sources.map((source) => source.startsWith('*'));
  return {
    minutes: ascending(minutes),
    hours: ascending(hours),
    days,
    months,
    weekdays: new Set([...weekdays].map((weekday) => weekday % 7)),
    needsBothDays: byDay === true || byWeekday === true,
    isElapsed: byMinute === true || byHour === true,
  };
};

/** Returns the values of a field; null if the field is invalid. */
const valuesOf = (source: string, rule: FieldRule): ReadonlySet<number> | null => {
  const values = new Set<number>();
  for (const part of source.split(',')) {
    const match = PART.exec(part.toLowerCase());
    if (!match) return null;
    const [, starStep, from, to, rangeStep] = match;
    const first = from === undefined ? rule.low : valueOf(from, rule);
    const last = from === undefined ? rule.high : to === undefined ? first : lastOf(to, rule);
    const step = Number(starStep ?? rangeStep ?? 1);
    if (first === null || last === null || first > last || step === 0) return null;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return values;
};

const valueOf = (source: string, { low, high, names }: FieldRule): number | null => {
  const value = /^\d/.test(source) ? Number(source) : names.indexOf(source) + low;
  const isNamed = /^\d/.test(source) || names.includes(source);
  return isNamed && value >= low && value <= high ? value : null;
};

/** Returns the value of the end of a range. In weekdays, `sun` is 7 as the end of a range, and 0 elsewhere. */
const lastOf = (source: string, rule: FieldRule): number | null =>
  rule.names === WEEKDAYS && source === 'sun' ? rule.high : valueOf(source, rule);

const problemOf = (source: string, { name, low, high, names }: FieldRule): string => {
  const [named] = names.slice(-1);
  const values = `${low} to ${high}${named === undefined ? '' : ` or names such as ${named}`}`;
  return (
    `The ${name} "${source}" can't be read: it may have ${values}, lists (1,2), ranges (1-5), ` +
    'and steps of "*" or of a range (*/2, 1-5/2).'
  );
};

/**
 * Whether any date matches the expression. Weekdays need no test: over the years, even 29 February falls on each
 * weekday.
 */
const isEverDue = ({ days, months, needsBothDays }: CronExpression): boolean =>
  !needsBothDays || [...months].some((month) => Math.min(...days) <= (LONGEST_MONTHS[month - 1] ?? 0));
