import { regionOf } from '../../domain/check/regions.ts';
import type { ResultStatus } from '../../domain/check-result/events.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Where } from '../../stores/read-store/port.ts';
import type { Scope } from '../engine/scope.ts';

/** The filters of every query for results (docs/reference/results.md#filters-of-results). */
export interface ResultFilters {
  start_date?: Instant;
  end_date?: Instant;
  status?: ResultStatus[];
  /** Id or alias of a region. */
  region?: string;
  failed_only?: boolean;
}

/** Returns the later of two instants. */
export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** Returns the id of a region, given its id or an alias. */
export const regionId = (name: string): string => regionOf(name)?.id ?? name;

/** Tests whether the filters match results with a status. */
export const includesStatus = ({ status, failed_only }: ResultFilters, wanted: ResultStatus): boolean =>
  (status?.includes(wanted) ?? true) && (failed_only !== true || wanted !== 'ok');

/** Returns the conditions for all filters except the start and the end of the period. */
export const filterConditions = ({ status, region, failed_only }: ResultFilters): Where => ({
  ...(region !== undefined && { region: regionId(region) }),
  $and: [
    ...(status ? [{ status: { $in: status } }] : []),
    ...(failed_only === true ? [{ status: { $ne: 'ok' } }] : []),
  ],
});

/** A day in milliseconds. */
export const DAY = 86_400_000;
const WINDOW = 7 * DAY;

export const earlier = (instant: Instant, milliseconds: number): Instant =>
  instantOf(Math.max(0, millisecondsOf(instant) - milliseconds));

/**
 * Returns the requested period. By default, it starts seven days before its end
 * (docs/reference/results.md#period-of-all-results).
 */
export const requestedPeriod = (
  { now, resultsFrom }: Pick<Scope, 'now' | 'resultsFrom'>,
  { start_date, end_date }: Pick<ResultFilters, 'start_date' | 'end_date'>,
): { from: Instant; to: Instant | undefined } => ({
  from: later(start_date ?? earlier(end_date ?? now, WINDOW), resultsFrom()),
  to: end_date,
});
