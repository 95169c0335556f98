import { HOUR_MS, type Instant, instantOf, millisecondsOf } from '../../domain/time.ts';

/** Results of a check in one hour. */
export interface HourSums {
  /** hours since 1970 */
  hour: number;
  results: number;
  /** Number of results that are not ok. */
  bad: number;
  /** Number of results with a response time. */
  timed: number;
  /** Sum of the response times, in milliseconds. */
  time: number;
}

/**
 * Sums of a check's results for completed hours and their days, oldest first. The arrays contain plain numbers instead
 * of objects, because a list of five thousand checks then takes a third of the time.
 */
export interface Sums {
  /** Five numbers per hour, in the order of {@link HourSums}, for at most {@link MOST_HOURS} hours. */
  hours: readonly number[];
  /** Three numbers per day: days since 1970, results, results that are not ok. At most {@link MOST_DAYS} days. */
  days: readonly number[];
}

/**
 * 24 hours and 30 days are shown. The additional hours and days are for results from a clock that was a few hours
 * ahead: such results must not displace correct ones. Results that arrive late are added to the hours of their runs.
 */
const MOST_HOURS = 30;
const MOST_DAYS = 33;

const HOUR_WIDTH = 5;
const DAY_WIDTH = 3;

/** The hour of the previous call, cached because consecutive results usually belong to the same hour. */
let last = { text: '1970-01-01T00', hour: 0 };

/** Returns the hour of an instant, counted from 1970. */
export const hourNumberOf = (instant: Instant): number => {
  if (!instant.startsWith(last.text))
    last = { text: instant.slice(0, 13), hour: Math.floor(millisecondsOf(instant) / HOUR_MS) };
  return last.hour;
};

/** Returns the start of the newest hour. There must be at least one hour. */
export const lastHourOf = ({ hours }: Pick<Sums, 'hours'>): Instant =>
  instantOf((hours.at(-HOUR_WIDTH) ?? 0) * HOUR_MS);

/** Returns the UTC day of an hour, counted from 1970. */
export const dayNumberOf = (hour: number): number => Math.floor(hour / 24);

/**
 * Adds a group of numbers. If an existing group has the same first number, the other numbers are added to those of the
 * existing group. Otherwise the new group is inserted in order. If there are more than `most` groups, the oldest one is
 * dropped.
 */
const withGroup = (groups: readonly number[], added: readonly number[], most: number): number[] => {
  const width = added.length;
  const [key = 0] = added;
  let end = groups.length;
  while (end > 0 && (groups[end - width] ?? 0) > key) end -= width;
  const start = end - width;
  if (start >= 0 && groups[start] === key) {
    const sum = added.map((number, place) => (place === 0 ? key : number + (groups[start + place] ?? 0)));
    return [...groups.slice(0, start), ...sum, ...groups.slice(end)];
  }
  return [...groups.slice(0, end), ...added, ...groups.slice(end)].slice(-most * width);
};

export const NO_SUMS: Sums = { hours: [], days: [] };

/**
 * Adds the sums of a completed hour. If late results of this hour arrived before, the hour is already included, and the
 * sums are added to it.
 */
export const withHour = ({ hours, days }: Sums, { hour, results, bad, timed, time }: HourSums): Sums => ({
  hours: withGroup(hours, [hour, results, bad, timed, time], MOST_HOURS),
  days: withGroup(days, [dayNumberOf(hour), results, bad], MOST_DAYS),
});

/** Removes the hours and days before `from`, which must be the start of a day. */
export const sumsSince = ({ hours, days }: Sums, from: Instant): Sums => {
  const first = hourNumberOf(from);
  return { hours: groupsFrom(hours, first, HOUR_WIDTH), days: groupsFrom(days, dayNumberOf(first), DAY_WIDTH) };
};

const groupsFrom = (groups: readonly number[], first: number, width: number): readonly number[] => {
  let start = 0;
  while (start < groups.length && (groups[start] ?? 0) < first) start += width;
  return start === 0 ? groups : groups.slice(start);
};

/** Calls `visit` for each hour, oldest first. */
export const eachHour = (
  { hours }: Pick<Sums, 'hours'>,
  visit: (hour: number, results: number, bad: number, timed: number, time: number) => void,
): void => {
  for (let at = 0; at < hours.length; at += HOUR_WIDTH)
    visit(hours[at] ?? 0, hours[at + 1] ?? 0, hours[at + 2] ?? 0, hours[at + 3] ?? 0, hours[at + 4] ?? 0);
};

/** Calls `visit` for each day, oldest first. */
export const eachDay = (
  { days }: Pick<Sums, 'days'>,
  visit: (day: number, results: number, bad: number) => void,
): void => {
  for (let at = 0; at < days.length; at += DAY_WIDTH) visit(days[at] ?? 0, days[at + 1] ?? 0, days[at + 2] ?? 0);
};
