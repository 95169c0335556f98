import { Cron } from 'croner';
import type { Timing } from '../heartbeat-pings/events.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import type { HeartbeatFields } from './events.ts';

/** When pings are expected, and how late they may be. */
export type Expectation = Pick<HeartbeatFields, 'period_seconds' | 'schedule' | 'time_zone' | 'grace_seconds'>;

/** The fields of a heartbeat that lateness depends on, besides whether it is active. */
export const TIMING_FIELDS = [
  'period_seconds',
  'schedule',
  'time_zone',
  'grace_seconds',
  'max_duration',
] as const satisfies readonly (keyof HeartbeatFields)[];

const OPTIONS = { mode: '5-part' } as const;

/** Five fields, or a nickname such as `@daily`: croner also takes a date, which comes once and then never again. */
const CRON = /^\s*(@\w+|\S+(\s+\S+){4})\s*$/;

const cron = (schedule: string, timeZone: string): Cron => new Cron(schedule, { ...OPTIONS, timezone: timeZone });

/**
 * What is wrong with a cron expression, a sentence: it has not five fields, can't be read, or names no day that ever
 * comes; null: nothing is.
 */
export const scheduleProblem = (schedule: string): string | null => {
  const unreadable = 'Must be a cron expression of five fields.';
  if (!CRON.test(schedule)) return unreadable;
  try {
    return cron(schedule, 'UTC').nextRun(new Date(0)) ? null : 'Names no time that ever comes.';
  } catch {
    return unreadable;
  }
};

/**
 * When the next ping is expected after a moment: a period later, or at the schedule's next time in its time zone. At
 * a change of the clocks a time that is skipped is expected right after, and one that comes twice is expected once.
 */
export const expectedAfter = ({ period_seconds, schedule, time_zone }: Expectation, after: Instant): Instant => {
  const from = millisecondsOf(after);
  if (schedule === null) return instantOf(from + (period_seconds ?? 0) * 1_000);
  const next = cron(schedule, time_zone).nextRun(new Date(from));
  // A schedule without a next time is refused when it is set.
  return instantOf(next?.getTime() ?? from);
};

/** A number of seconds later. */
export const later = (instant: Instant, seconds: number): Instant =>
  instantOf(millisecondsOf(instant) + seconds * 1_000);

/** When the next ping is expected, and from when on it is too late. */
export interface Expected {
  expected_at: Instant;
  late_at: Instant;
}

/** What is expected after a ping, or after pings were last expected at other times. */
export const expectation = (timing: Expectation, after: Instant): Expected => {
  const expected_at = expectedAfter(timing, after);
  return { expected_at, late_at: later(expected_at, timing.grace_seconds) };
};

/** The timing that fields give; nothing that came before `from` makes a heartbeat late. */
export const timingOf = (
  fields: Expectation & Pick<HeartbeatFields, 'max_duration'>,
  number: number,
  from: Instant,
): Timing => {
  const { period_seconds, schedule, time_zone, grace_seconds, max_duration } = fields;
  return { period_seconds, schedule, time_zone, grace_seconds, max_duration, number, from };
};

/** Whether changes touch what lateness depends on. */
export const changesTiming = (changes: Partial<HeartbeatFields>): boolean =>
  changes.active !== undefined || TIMING_FIELDS.some((field) => changes[field] !== undefined);
