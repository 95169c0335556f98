import { parseCron } from '../../../domain/cron/expression.ts';
import { nextDue } from '../../../domain/cron/next.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { momentOf } from '../../parts/times/since.tsx';

/** The schedule of a heartbeat. */
export type Times = Pick<Schemas['HeartbeatRow'], 'period_seconds' | 'schedule' | 'time_zone'>;

/** Number of upcoming times that are shown. */
export const TIMES_SHOWN = 5;

/**
 * Returns the next times of a cron expression, in milliseconds since 1970. The service uses the same code.
 *
 * @returns null if the expression or the time zone is invalid
 */
export const timesOf = (schedule: string, time_zone: string, after: number, count = TIMES_SHOWN): number[] | null => {
  const parsed = parseCron(schedule);
  if ('problem' in parsed || !isTimeZone(time_zone)) return null;
  const times: number[] = [];
  for (let from: number | null = after; times.length < count;) {
    from = nextDue(parsed.expression, time_zone, from);
    if (from === null) break;
    times.push(from);
  }
  return times;
};

/** Returns the service's error message for a cron expression, or null if the expression is valid. */
export const problemOf = (schedule: string): string | null => {
  const parsed = parseCron(schedule);
  return 'problem' in parsed ? parsed.problem : null;
};

/**
 * Returns the next times at which pings are expected if all of them arrive on time, in milliseconds since 1970. Returns
 * null if the times are unknown: the heartbeat was never pinged, is paused, or has a schedule that earlier versions
 * accepted but this version rejects.
 */
export const expectedTimes = (
  heartbeat: Times & Pick<Schemas['HeartbeatRow'], 'next_expected_ping' | 'active'>,
  now: number,
): number[] | null => {
  const { schedule, time_zone, period_seconds, next_expected_ping, active } = heartbeat;
  if (schedule !== null) return timesOf(schedule, time_zone, now);
  if (!active || next_expected_ping === null) return null;
  const first = momentOf(next_expected_ping);
  const period = period_seconds * 1_000;
  // If a ping is overdue, skip the times that have passed.
  const from = first > now ? first : first + Math.ceil((now - first) / period) * period;
  return Array.from({ length: TIMES_SHOWN }, (_, index) => from + index * period);
};

/**
 * Returns the time at which a list of heartbeats must be read again because a heartbeat becomes late. Returns null if
 * no ping is expected.
 */
export const nextLate = (rows: readonly Schemas['HeartbeatRow'][]): number | null => {
  const times = rows.flatMap(({ status, next_expected_ping, grace_seconds }) => {
    if (next_expected_ping === null) return [];
    if (status === 'up') return [momentOf(next_expected_ping)];
    return status === 'grace' ? [momentOf(next_expected_ping) + grace_seconds * 1_000] : [];
  });
  return times.length === 0 ? null : Math.min(...times);
};
