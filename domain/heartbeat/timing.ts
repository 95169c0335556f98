import type { Timing } from '../heartbeat-pings/events.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import type { HeartbeatFields } from './events.ts';
import { scheduleOf } from './schedule.ts';

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

/**
 * When the next ping is expected after a moment: a period later, or at the schedule's next time in its time zone
 * (domain/cron/next.ts).
 */
export const expectedAfter = ({ period_seconds, schedule, time_zone }: Expectation, after: Instant): Instant => {
  const from = millisecondsOf(after);
  return instantOf(
    schedule === null ? from + (period_seconds ?? 0) * 1_000 : scheduleOf(schedule).next(time_zone, from),
  );
};

/** The time between two pings in seconds; of a schedule, the shortest. */
export const shortestPeriodOf = ({
  period_seconds,
  schedule,
}: Pick<Expectation, 'period_seconds' | 'schedule'>): number =>
  schedule === null ? (period_seconds ?? 0) : scheduleOf(schedule).shortestInterval();

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

/** How much earlier than its time a job may ping, seconds: its clock may be ahead of ours. */
const EARLY = 5;

/**
 * What is expected after a ping that says how a job ended. One that comes just before a time of its schedule is the one
 * that was expected then.
 */
export const expectedByPing = (timing: Expectation, received: Instant): Expected =>
  expectation(timing, timing.schedule === null ? received : later(received, EARLY));

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
