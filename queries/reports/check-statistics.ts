import { mergeResponseTimes, percentileOf, type ResponseTimes } from '../../domain/check-result/response-times.ts';
import { rounded, type ByDay, type CheckContent } from '../../domain/report/content.ts';
import { type Day, HOUR_MS, type Instant } from '../../domain/time.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import type { CheckHourDocument } from '../../projections/check-results/hours.ts';
import { readHourlyCounts } from '../check-results/hourly-counts.ts';
import type { Scope } from '../engine/scope.ts';

/** The statistics of a check's runs in a period. */
export interface RunStatistics extends Pick<
  CheckContent,
  | 'uptime_percentage'
  | 'total_checks'
  | 'successful_checks'
  | 'failed_checks'
  | 'average_response_time'
  | 'p50'
  | 'p95'
  | 'p99'
  | 'by_day'
> {
  /** All response times. */
  times: ResponseTimes;
  /** Sum of the response times, in milliseconds. `timed` is the number of response times. */
  sum: number;
  timed: number;
}

/** A period and its days. */
export interface ReportDays {
  from: Instant;
  /** End of the period, inclusive. */
  to: Instant;
  days: readonly Day[];
  /** Returns the index of the day in which an hour begins. */
  placeOf: (hour: Instant) => number;
}

/** Number of hours of a check that are read together. For six regions, these are about two thousand documents. */
const HOURS_AT_ONCE = 14 * 24;

interface DayTally {
  ok: number;
  total: number;
  sum: number;
  timed: number;
  times: ResponseTimes[];
}

const nothing = (): DayTally => ({ ok: 0, total: 0, sum: 0, timed: 0, times: [] });

const add = (tally: DayTally, { tallies }: CheckHourDocument): void => {
  for (const [status, { count, sum, timed, times }] of Object.entries(tallies)) {
    tally.total += count;
    if (status === 'ok') tally.ok += count;
    tally.sum += sum;
    tally.timed += timed;
    if (timed > 0) tally.times.push(times);
  }
};

/** Splits a period into parts. Each part begins and ends on the hour, except at the start and end of the period. */
function* partsOf(from: Instant, to: Instant): Generator<[Instant, Instant]> {
  const last = millisecondsOf(to);
  for (let start = millisecondsOf(from); start <= last;) {
    const next = (Math.floor(start / HOUR_MS) + HOURS_AT_ONCE) * HOUR_MS;
    const isFirst = start === millisecondsOf(from);
    const end = next > last ? to : `${instantOf(next - 1).slice(0, -3)}999`;
    yield [isFirst ? from : instantOf(start), end];
    start = next;
  }
}

/** Reads the data of each part, in order. The next part is read while the caller processes the current one. */
async function* readAhead<Part, Found>(
  parts: Iterable<Part>,
  read: (part: Part) => Promise<Found>,
): AsyncGenerator<Found> {
  let next: Promise<Found> | null = null;
  for (const part of parts) {
    const current = next;
    next = read(part);
    // Prevent an unhandled rejection, because a caller that stops early does not wait for this read.
    next.catch(() => undefined);
    if (current) yield await current;
  }
  if (next) yield await next;
}

const percentage = (ok: number, total: number): number | null => (total === 0 ? null : rounded((100 * ok) / total));

const average = (sum: number, timed: number): number | null => (timed === 0 ? null : Math.round(sum / timed));

/**
 * Computes the statistics of a check's runs. Reads a long period in parts with a pause after each, so that other work
 * is not delayed and little memory is used.
 */
export const readRunStatistics = async (
  scope: Pick<Scope, 'read' | 'now'>,
  checkId: string,
  { from, to, days, placeOf }: ReportDays,
  pause: () => Promise<void>,
): Promise<RunStatistics> => {
  const tallies = days.map(nothing);
  const read = ([start, end]: [Instant, Instant]) =>
    readHourlyCounts(scope, { check_id: checkId, from: start, to: end });
  for await (const hours of readAhead(partsOf(from, to), read)) {
    for (const hour of hours) {
      const tally = tallies[placeOf(hour.hour)];
      if (tally) add(tally, hour);
    }
    await pause();
  }
  const by_day: ByDay = { uptime: [], total: [], average: [], p95: [] };
  const all = nothing();
  for (const { ok, total, sum, timed, times } of tallies) {
    const ofDay = mergeResponseTimes(times);
    by_day.uptime.push(percentage(ok, total));
    by_day.total.push(total);
    by_day.average.push(average(sum, timed));
    by_day.p95.push(percentileOf(ofDay, 0.95));
    all.ok += ok;
    all.total += total;
    all.sum += sum;
    all.timed += timed;
    if (timed > 0) all.times.push(ofDay);
  }
  const times = mergeResponseTimes(all.times);
  return {
    uptime_percentage: percentage(all.ok, all.total),
    total_checks: all.total,
    successful_checks: all.ok,
    failed_checks: all.total - all.ok,
    average_response_time: average(all.sum, all.timed),
    p50: percentileOf(times, 0.5),
    p95: percentileOf(times, 0.95),
    p99: percentileOf(times, 0.99),
    by_day,
    times,
    sum: all.sum,
    timed: all.timed,
  };
};
