import { parseCron, type CronExpression } from '../cron/expression.ts';
import { shortestInterval } from '../cron/interval.ts';
import { nextDue } from '../cron/next.ts';
import { legacySchedule } from './legacy-schedule.ts';

/** The times at which pings are expected according to a cron expression. */
export interface Schedule {
  /** Returns the next due time after `after` in a time zone, both in milliseconds since 1970. */
  next: (timeZone: string, after: number) => number;
  /** Returns the shortest interval between due times in seconds, ignoring clock changes. */
  shortestInterval: () => number;
}

/** Returns the error of a cron expression that is invalid or never due; null if there is none. */
export const scheduleProblem = (source: string): string | null => {
  const parsed = parseCron(source);
  return 'problem' in parsed ? parsed.problem : null;
};

const CACHE_SIZE = 2_000;
const cache = new Map<string, Schedule>();
/** Returns the schedule of a stored expression in the current or the former syntax. */
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
    // `nextDue` does not return null here: schedules that are never due are refused when they are set.
    next: (timeZone, after) => nextDue(expression, timeZone, after) ?? after,
    shortestInterval: () => (shortest ??= shortestInterval(expression)),
  };
};
