import { parseCron, type CronExpression } from '../cron/expression.ts';
import { shortestInterval } from '../cron/interval.ts';
import { nextDue } from '../cron/next.ts';
import { legacySchedule } from './legacy-schedule.ts';

/** The times at which pings are expected by a cron expression. */
export interface Schedule {
  /** The next time after `after` in a time zone, both in milliseconds since 1970. */
  next: (timeZone: string, after: number) => number;
  /** The shortest interval in seconds, without clock changes. */
  shortestInterval: () => number;
}

/** The error of a cron expression that is invalid or never due; null if it is valid. */
export const scheduleProblem = (source: string): string | null => {
  const parsed = parseCron(source);
  return 'problem' in parsed ? parsed.problem : null;
};

const CACHE_SIZE = 2_000;
const cache = new Map<string, Schedule>();
/** The schedule of a stored expression, in the current or the former syntax. */
export const scheduleOf = (source: string): Schedule => {
  const known = cache.get(source);
  if (known) return known;
  const parsed = parseCron(source);
  const schedule = 'problem' in parsed ? legacySchedule(source) : byExpression(parsed.expression);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(source, schedule);
  return schedule;
};

const byExpression = (expression: CronExpression): Schedule => {
  let shortest: number | null = null;
  return {
    // Schedules that are never due were refused when they were set.
    next: (timeZone, after) => nextDue(expression, timeZone, after) ?? after,
    shortestInterval: () => (shortest ??= shortestInterval(expression)),
  };
};
