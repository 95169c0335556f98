import { datesFrom } from './dates.ts';
import type { CronExpression } from './expression.ts';
import { DAY_MINUTES } from '../time.ts';

/** 1 January 1972, in days since 1970. From then until 2099, the weekdays of dates repeat every 28 years. */
const FROM = 730;
const TWO_CYCLES = 57 * 366;

/**
 * Returns the shortest time between two due times of an expression in seconds, ignoring clock changes. The result is at
 * least a minute.
 */
export const shortestInterval = (expression: CronExpression): number => {
  const minutes = expression.hours.flatMap((hour) => expression.minutes.map((minute) => hour * 60 + minute));
  const withinDay = gaps(minutes);
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)];
  const overnight = fewestDays(expression) * DAY_MINUTES - last + first;
  return Math.min(overnight, ...withinDay) * 60;
};

const gaps = (ascending: readonly number[]): number[] =>
  ascending.slice(1).map((value, index) => value - (ascending[index] ?? 0));

/** Returns the minimum number of days between two matching dates. */
const fewestDays = (expression: CronExpression): number => {
  let fewest = Infinity;
  let before: number | null = null;
  for (const date of datesFrom(expression, FROM)) {
    if (date > FROM + TWO_CYCLES || fewest === 1) break;
    if (before !== null) fewest = Math.min(fewest, date - before);
    before = date;
  }
  return fewest;
};
