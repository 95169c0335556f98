import { percentileOf } from '../../domain/check-result/response-times.ts';
import type { Instant } from '../../domain/time.ts';
import { sumTallies, type CheckHourDocument, type Tallies, type Tally } from '../../projections/check-results/hours.ts';
import { grouped, inOrder } from '../engine/grouped.ts';

/** Statistics of a check's runs (docs/reference/results.md#uptime-of-a-check). */
export interface UptimeSummary {
  /** 0 to 100, two decimals; null if there is no result */
  uptime_percentage: number | null;
  total_checks: number;
  successful_checks: number;
  failed_checks: number;
  /** whole milliseconds; null if there is none */
  avg_response_time: number | null;
}

export interface UptimeHour extends UptimeSummary {
  /** the start of the hour */
  timestamp: Instant;
}

/** Response times of one bucket and region, whole milliseconds. */
export interface RegionalResponseTimes {
  timestamp: Instant;
  region: string;
  average: number;
  p95: number;
  p99: number;
  count: number;
}

const talliesOf = (tallies: Tallies): Tally[] => Object.values(tallies);

/** Rounded to whole milliseconds; null: no response times. */
const averageOf = ({ sum, timed }: Pick<Tally, 'sum' | 'timed'>): number | null =>
  timed === 0 ? null : Math.round(sum / timed);

/** The percentage of ok results: 0 to 100, two decimals; null if there are no results. */
export const percentageOf = (ok: number, all: number): number | null =>
  all === 0 ? null : Math.round((10_000 * ok) / all) / 100;

const summaryOf = (hours: readonly CheckHourDocument[]): UptimeSummary => {
  const all = sumTallies(hours.flatMap(({ tallies }) => talliesOf(tallies)));
  const ok = hours.reduce((count, { tallies }) => count + (tallies.ok?.count ?? 0), 0);
  return {
    uptime_percentage: percentageOf(ok, all.count),
    total_checks: all.count,
    successful_checks: ok,
    failed_checks: all.count - ok,
    avg_response_time: averageOf(all),
  };
};

/** Statistics of a period, and of each of its hours that has a result, in order. */
export const summarizeUptime = (
  hours: readonly CheckHourDocument[],
): { uptime_summary: UptimeSummary; uptime_data: UptimeHour[] } => ({
  uptime_summary: summaryOf(hours),
  uptime_data: inOrder(grouped(hours, ({ hour }) => hour)).map(([timestamp, group]) => ({
    timestamp,
    ...summaryOf(group),
  })),
});

/** Response times from the tallies of one bucket and region; empty if no complete response was received. */
export const summarizeResponseTimes = (
  tallies: readonly Tally[],
): Omit<RegionalResponseTimes, 'timestamp' | 'region'>[] => {
  const { sum, timed, times } = sumTallies(tallies);
  const [average, p95, p99] = [averageOf({ sum, timed }), percentileOf(times, 0.95), percentileOf(times, 0.99)];
  return average === null || p95 === null || p99 === null ? [] : [{ average, p95, p99, count: timed }];
};
