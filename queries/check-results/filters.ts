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
  /** id or alias */
  region?: string;
  failed_only?: boolean;
}

/** The later of two instants. */
export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** The id of a region given by id or alias. */
export const regionId = (name: string): string => regionOf(name)?.id ?? name;

/** Whether the filters allow results of a status. */
export const includesStatus = ({ status, failed_only }: ResultFilters, wanted: ResultStatus): boolean =>
  (status?.includes(wanted) ?? true) && (failed_only !== true || wanted !== 'ok');

/** Conditions on results, except their time. */
export const filterConditions = ({ status, region, failed_only }: ResultFilters): Where => ({
  ...(region !== undefined && { region: regionId(region) }),
  $and: [
    ...(status ? [{ status: { $in: status } }] : []),
    ...(failed_only === true ? [{ status: { $ne: 'ok' } }] : []),
  ],
});

/** Milliseconds. */
export const DAY = 86_400_000;
const WINDOW = 7 * DAY;

export const earlier = (instant: Instant, milliseconds: number): Instant =>
  instantOf(Math.max(0, millisecondsOf(instant) - milliseconds));

/** The requested period; default start: seven days before the end (docs/reference/results.md#period-of-all-results). */
export const requestedPeriod = (
  { now, resultsFrom }: Pick<Scope, 'now' | 'resultsFrom'>,
  { start_date, end_date }: Pick<ResultFilters, 'start_date' | 'end_date'>,
): { from: Instant; to: Instant | undefined } => ({
  from: later(start_date ?? earlier(end_date ?? now, WINDOW), resultsFrom()),
  to: end_date,
});
