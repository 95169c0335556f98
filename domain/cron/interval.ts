import { datesFrom } from './dates.ts';
import type { CronExpression } from './expression.ts';

const DAY_MINUTES = 1_440;

/** 1972, days since 1970. Weekdays of dates repeat themselves every 28 years until 2099. */
const FROM = 730;
const TWO_CYCLES = 57 * 366;

/**
 * The shortest time between two moments at which an expression is due, in seconds, by clocks that do not change: a
 * minute at least.
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

/** The fewest days between two dates of an expression. */
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
