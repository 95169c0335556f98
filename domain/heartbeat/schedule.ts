import { parseCron, type CronExpression } from '../cron/expression.ts';
import { shortestInterval } from '../cron/interval.ts';
import { nextDue } from '../cron/next.ts';
import { formerSchedule } from './former-schedule.ts';

/** The times at which pings are expected, as a cron expression names them. */
export interface Schedule {
  /** The next time after a moment in a time zone, both in milliseconds since 1970. */
  next: (timeZone: string, after: number) => number;
  /** The shortest time between two of them, seconds; a change of the clocks may make one shorter. */
  shortestInterval: () => number;
}

/** What is wrong with a cron expression, a sentence: it can't be read, or names no day that ever comes; or null. */
export const scheduleProblem = (source: string): string | null => {
  const parsed = parseCron(source);
  return 'problem' in parsed ? parsed.problem : null;
};

const MOST_KEPT = 2_000;
const kept = new Map<string, Schedule>();

/** A schedule that was set, by now or by an earlier version. */
export const scheduleOf = (source: string): Schedule => {
  const known = kept.get(source);
  if (known) return known;
  const parsed = parseCron(source);
  const schedule = 'problem' in parsed ? formerSchedule(source) : byExpression(parsed.expression);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(source, schedule);
  return schedule;
};

const byExpression = (expression: CronExpression): Schedule => {
  let shortest: number | null = null;
  return {
    // A schedule that names no time is refused when it is set.
    next: (timeZone, after) => nextDue(expression, timeZone, after) ?? after,
    shortestInterval: () => (shortest ??= shortestInterval(expression)),
  };
};
