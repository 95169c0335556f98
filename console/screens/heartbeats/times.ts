import { parseCron } from '../../../domain/cron/expression.ts';
import { nextDue } from '../../../domain/cron/next.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { momentOf } from '../../parts/times/since.tsx';

/** When pings of a heartbeat are expected. */
export type Times = Pick<Schemas['HeartbeatRow'], 'period_seconds' | 'schedule' | 'time_zone'>;

/** How many times are shown. */
export const TIMES_SHOWN = 5;

/**
 * The next times of a cron expression, milliseconds since 1970. The service reads expressions by the same code.
 *
 * @returns null: the expression can't be read, or there is no such time zone
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

/** What is wrong with a cron expression, in the words of the service; null: nothing. */
export const problemOf = (schedule: string): string | null => {
  const parsed = parseCron(schedule);
  return 'problem' in parsed ? parsed.problem : null;
};

/**
 * The next times at which pings of a heartbeat are expected, if each comes when it is expected, milliseconds since 1970;
 * null: unknown, since it was never pinged, is paused, or has a schedule that only older versions accepted.
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
  // What was due already is not expected any more at that time, but as soon as the ping has come.
  const from = first > now ? first : first + Math.ceil((now - first) / period) * period;
  return Array.from({ length: TIMES_SHOWN }, (_, index) => from + index * period);
};

/** When a list of heartbeats has to be read again, since a ping of one of them will be late; null: no ping is awaited. */
export const nextLate = (rows: readonly Schemas['HeartbeatRow'][]): number | null => {
  const times = rows.flatMap(({ status, next_expected_ping, grace_seconds }) => {
    if (next_expected_ping === null) return [];
    if (status === 'up') return [momentOf(next_expected_ping)];
    return status === 'grace' ? [momentOf(next_expected_ping) + grace_seconds * 1_000] : [];
  });
  return times.length === 0 ? null : Math.min(...times);
};
