import { percentileOf } from '../../domain/check-result/response-times.ts';
import { HOUR_MS, type Instant, instantOf, millisecondsOf } from '../../domain/time.ts';
import { hourOf, sumTallies, type CheckHourDocument, type Tally } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import { grouped } from '../../domain/grouped.ts';
import type { Scope } from '../engine/scope.ts';

type QueryScope = Pick<Scope, 'read' | 'now'>;

/** Number of checks whose hours are read with one query. */
const CHECKS_AT_ONCE = 100;
/** Approximate number of sums that are read into memory at once, before they are added up. */
const SUMS_AT_ONCE = 1_000;
/**
 * After this many sums, no further hour is read. There is a sum for each check, region and hour, so 1,000 checks in one
 * region reach this number after six hours (docs/reference/components.md#measurements).
 */
const MOST_SUMS = 6_000;
/** Minimum number of hours that are read. One is not enough, because the newest hour might have just begun. */
const LEAST_HOURS = 2;

/** Response times of an hour over all checks and regions, in whole milliseconds. Null if there are no measurements. */
export interface HourlyResponseTimes {
  average: number | null;
  p95: number | null;
}

/** Response times of a period, and of each hour in it, oldest first. */
export interface ResponseTimesByHour extends HourlyResponseTimes {
  points: readonly HourlyResponseTimes[];
}

/**
 * Reads the response times of checks in the most recent hours. Every run has the same weight in averages and
 * percentiles, so a check with more runs or regions counts more.
 *
 * @param hours number of hours; fewer are read if there are many checks
 */
export const hourlyResponseTimes = async (
  scope: QueryScope,
  checkIds: readonly string[],
  hours: number,
): Promise<ResponseTimesByHour> => {
  const now = millisecondsOf(hourOf(scope.now));
  const step = Math.max(1, Math.floor(SUMS_AT_ONCE / Math.max(1, checkIds.length)));
  /** Sums by hour, newest first. */
  const tallies: Tally[] = [];
  for (let sums = 0; tallies.length < hours && (sums < MOST_SUMS || tallies.length < LEAST_HOURS);) {
    const newest = now - tallies.length * HOUR_MS;
    const count = Math.min(step, hours - tallies.length);
    const found = await sumsOf(scope, checkIds, instantOf(newest - (count - 1) * HOUR_MS), instantOf(newest));
    const byHour = grouped(found, ({ hour }) => hour);
    for (let index = 0; index < count; index++) {
      const ofHour = byHour.get(instantOf(newest - index * HOUR_MS)) ?? [];
      tallies.push(sumTallies(ofHour.flatMap((one) => Object.values(one.tallies))));
    }
    sums += found.length;
  }
  return { ...figuresOf(sumTallies(tallies)), points: tallies.map(figuresOf).reverse() };
};

const sumsOf = async (
  { read }: QueryScope,
  checkIds: readonly string[],
  from: Instant,
  to: Instant,
): Promise<CheckHourDocument[]> => {
  const found: CheckHourDocument[] = [];
  for (let at = 0; at < checkIds.length; at += CHECKS_AT_ONCE) {
    const some = checkIds.slice(at, at + CHECKS_AT_ONCE);
    const where = { check_id: some.length === 1 ? (some[0] ?? '') : { $in: some }, hour: { $gte: from, $lte: to } };
    found.push(...(await read(checkResults).check_hours.find({ where })));
  }
  return found;
};

const figuresOf = ({ sum, timed, times }: Tally): HourlyResponseTimes => ({
  average: timed === 0 ? null : Math.round(sum / timed),
  p95: percentileOf(times, 0.95),
});
