import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { checkHourId, hourOf, withResult, type CheckHourDocument } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { Scope } from '../engine/scope.ts';

export const HOUR = 3_600_000;

export interface HourlyCountsQuery {
  check_id: string;
  from: Instant;
  /** End of the period, inclusive. */
  to: Instant;
  /** Id of a region. Absent for all regions. */
  region?: string;
}

const LAST = '59:59.999999';

const neighbour = (hour: Instant, by: 1 | -1): Instant => instantOf(millisecondsOf(hour) + by * HOUR);

/**
 * Counts a check's results for each hour of a period. Whole hours are read from stored sums. For partial hours at the
 * start and the end of the period, the results are counted one by one.
 */
export const readHourlyCounts = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  { check_id, region, from, to }: HourlyCountsQuery,
): Promise<CheckHourDocument[]> => {
  if (from > to) return [];
  const which = { check_id, ...(region !== undefined && { region }) };
  const { check_hours, check_results } = read(checkResults);
  const { first, last, edges } = partsOf(from, to >= now ? `${to.slice(0, 14)}${LAST}` : to);
  const [whole, ...results] = await Promise.all([
    first > last ? [] : check_hours.find({ where: { ...which, hour: { $gte: first, $lte: last } }, sort: { hour: 1 } }),
    ...edges.map(([start, end]) => check_results.find({ where: { ...which, created_at: { $gte: start, $lte: end } } })),
  ]);
  const counted = new Map<string, CheckHourDocument>();
  for (const result of results.flat()) {
    if (result.suspect === true) continue;
    const place = { ...result, check_id };
    const id = checkHourId(place);
    counted.set(id, withResult(counted.get(id), place));
  }
  return [...whole, ...counted.values()];
};

/** Splits a period into whole hours (none if `first` is later than `last`), and the partial hours at its ends. */
const partsOf = (from: Instant, to: Instant): { first: Instant; last: Instant; edges: [Instant, Instant][] } => {
  const startsWhole = from === hourOf(from);
  const endsWhole = to.endsWith(LAST);
  const first = startsWhole ? from : neighbour(hourOf(from), 1);
  const last = endsWhole ? hourOf(to) : neighbour(hourOf(to), -1);
  if (hourOf(from) === hourOf(to)) return { first, last, edges: startsWhole && endsWhole ? [] : [[from, to]] };
  return {
    first,
    last,
    edges: [
      ...(startsWhole ? [] : [[from, `${from.slice(0, 14)}${LAST}`] as [Instant, Instant]]),
      ...(endsWhole ? [] : [[hourOf(to), to] as [Instant, Instant]]),
    ],
  };
};
