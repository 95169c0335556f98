import { percentileOf } from '../../domain/check-result/response-times.ts';
import type { Instant } from '../../domain/time.ts';
import { sumTallies, type CheckHourDocument, type Tallies, type Tally } from '../../projections/check-results/hours.ts';
import { grouped, inOrder } from '../../domain/grouped.ts';

/** Statistics of a check's runs (docs/reference/results.md#uptime-of-a-check). */
export interface UptimeSummary {
  /** 0 to 100, with two decimals. Null if there is no result. */
  uptime_percentage: number | null;
  total_checks: number;
  successful_checks: number;
  failed_checks: number;
  /** Whole milliseconds. Null if no result has a response time. */
  avg_response_time: number | null;
}

export interface UptimeHour extends UptimeSummary {
  /** Start of the hour. */
  timestamp: Instant;
}

/** Response times of one bucket and region, in whole milliseconds. */
export interface RegionalResponseTimes {
  timestamp: Instant;
  region: string;
  average: number;
  p95: number;
  p99: number;
  count: number;
}

const talliesOf = (tallies: Tallies): Tally[] => Object.values(tallies);

/** Returns the average in whole milliseconds, or null if there are no response times. */
const averageOf = ({ sum, timed }: Pick<Tally, 'sum' | 'timed'>): number | null =>
  timed === 0 ? null : Math.round(sum / timed);

/** Returns the percentage of ok results, from 0 to 100 with two decimals, or null if there are no results. */
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

/** Computes the statistics of a period, and of each hour with results, in order. */
export const summarizeUptime = (
  hours: readonly CheckHourDocument[],
): { uptime_summary: UptimeSummary; uptime_data: UptimeHour[] } => ({
  uptime_summary: summaryOf(hours),
  uptime_data: inOrder(grouped(hours, ({ hour }) => hour)).map(([timestamp, group]) => ({
    timestamp,
    ...summaryOf(group),
  })),
});

/** Computes response times from the tallies of one bucket and region. Returns an empty list if there are none. */
export const summarizeResponseTimes = (
  tallies: readonly Tally[],
): Omit<RegionalResponseTimes, 'timestamp' | 'region'>[] => {
  const { sum, timed, times } = sumTallies(tallies);
  const [average, p95, p99] = [averageOf({ sum, timed }), percentileOf(times, 0.95), percentileOf(times, 0.99)];
  return average === null || p95 === null || p99 === null ? [] : [{ average, p95, p99, count: timed }];
};
