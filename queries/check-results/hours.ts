import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { checkHourId, hourOf, withResult, type CheckHourDocument } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { Scope } from '../scope.ts';

export const HOUR = 3_600_000;

export interface HoursAsked {
  check_id: string;
  from: Instant;
  /** the last instant that is meant */
  to: Instant;
  /** id of a region; all where it is left out */
  region?: string;
}

const LAST = '59:59.999999';

const neighbour = (hour: Instant, by: 1 | -1): Instant => instantOf(millisecondsOf(hour) + by * HOUR);

/**
 * What a check did in each hour of a time. Whole hours have been counted already; the results of an hour that
 * the time begins or ends in are counted here, so that none outside of it is.
 */
export const hoursBetween = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  { check_id, region, from, to }: HoursAsked,
): Promise<CheckHourDocument[]> => {
  if (from > to) return [];
  const which = { check_id, ...(region !== undefined && { region }) };
  const { check_hours, check_results } = read(checkResults);
  const { first, last, edges } = partsOf(from, to >= now ? `${to.slice(0, 14)}${LAST}` : to);
  const [whole, ...results] = await Promise.all([
    first > last ? [] : check_hours.find({ where: { ...which, hour: { $gte: first, $lte: last } } }),
    ...edges.map(([start, end]) => check_results.find({ where: { ...which, created_at: { $gte: start, $lte: end } } })),
  ]);
  const counted = new Map<string, CheckHourDocument>();
  for (const result of results.flat()) {
    const place = { ...result, check_id };
    const id = checkHourId(place);
    counted.set(id, withResult(counted.get(id), place));
  }
  return [...whole, ...counted.values()];
};

/** The first and the last whole hour of a time, none where the first is later, and what is left of it at its ends. */
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
