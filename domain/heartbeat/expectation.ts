import type { Timing } from '../heartbeat-pings/events.ts';
import { instantOf, later as millisecondsLater, millisecondsOf, SECOND_MS, type Instant } from '../time.ts';
import type { HeartbeatFields } from './events.ts';
import { scheduleOf } from './schedule.ts';

/** The fields that determine when pings are expected, and how late pings may be. */
export type Expectation = Pick<HeartbeatFields, 'period_seconds' | 'schedule' | 'time_zone' | 'grace_seconds'>;

/** The fields of a heartbeat that affect lateness, apart from `active`. */
export const TIMING_FIELDS = [
  'period_seconds',
  'schedule',
  'time_zone',
  'grace_seconds',
  'max_duration',
] as const satisfies readonly (keyof HeartbeatFields)[];

/**
 * Returns when the next ping is expected after an instant: a period later, or at the next due time of the schedule in
 * its time zone (domain/cron/next.ts).
 */
export const expectedAfter = ({ period_seconds, schedule, time_zone }: Expectation, after: Instant): Instant => {
  const from = millisecondsOf(after);
  return instantOf(
    schedule === null ? from + (period_seconds ?? 0) * SECOND_MS : scheduleOf(schedule).next(time_zone, from),
  );
};

/** Returns the number of seconds between two pings; for a schedule, its shortest interval. */
export const shortestPeriodOf = ({
  period_seconds,
  schedule,
}: Pick<Expectation, 'period_seconds' | 'schedule'>): number =>
  schedule === null ? (period_seconds ?? 0) : scheduleOf(schedule).shortestInterval();

/** Returns the instant that is `seconds` later. */
export const secondsLater = (instant: Instant, seconds: number): Instant =>
  millisecondsLater(instant, seconds * SECOND_MS);

/** When the next ping is expected, and when the heartbeat becomes late if this ping is missing. */
export interface ExpectedPing {
  expected_at: Instant;
  late_at: Instant;
}

/** Returns the expectation after a start ping, or after a change of the timing. */
export const expectation = (timing: Expectation, after: Instant): ExpectedPing => {
  const expected_at = expectedAfter(timing, after);
  return { expected_at, late_at: secondsLater(expected_at, timing.grace_seconds) };
};

/** How early a job may ping, in seconds. The clock of the job's server may be ahead of the service's clock. */
const EARLY = 5;

/**
 * Returns the expectation after a ping that reports the end of a run. A ping shortly before a due time of the schedule
 * counts as the ping that was expected at this due time.
 */
export const expectedByPing = (timing: Expectation, received: Instant): ExpectedPing =>
  expectation(timing, timing.schedule === null ? received : secondsLater(received, EARLY));

/**
 * Returns the timing of a heartbeat.
 *
 * @param number the version of the timing
 * @param from the start of the timing; no ping is expected before this time
 */
export const timingOf = (
  fields: Expectation & Pick<HeartbeatFields, 'max_duration'>,
  number: number,
  from: Instant,
): Timing => {
  const { period_seconds, schedule, time_zone, grace_seconds, max_duration } = fields;
  return { period_seconds, schedule, time_zone, grace_seconds, max_duration, number, from };
};

/** Whether changed fields affect lateness. */
export const changesTiming = (changes: Partial<HeartbeatFields>): boolean =>
  changes.active !== undefined || TIMING_FIELDS.some((field) => changes[field] !== undefined);
