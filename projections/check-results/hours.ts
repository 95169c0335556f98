import { mergeResponseTimes, withTime, type ResponseTimes } from '../../domain/check-result/response-times.ts';
import type { ResultStatus } from '../../domain/check-result/events.ts';
import type { Instant } from '../../domain/time.ts';

/** Sums of results with one status. */
export interface Tally {
  count: number;
  /** number of results with a response time */
  timed: number;
  /** Sum of the response times, in milliseconds. */
  sum: number;
  times: ResponseTimes;
}

export type Tallies = Partial<Record<ResultStatus, Tally>>;

/** Sums of a check's results in one region and hour. Statistics of longer periods are computed from these documents. */
export interface CheckHourDocument {
  id: string;
  check_id: string;
  organization_id: string;
  /** id of the region */
  region: string;
  /** First instant of the hour. */
  hour: Instant;
  /** Sums by status. Statuses without results are omitted. */
  tallies: Tallies;
}

/** The number of results of an organization's checks in one region within one hour. */
export interface OrganizationHourDocument {
  id: string;
  organization_id: string;
  /** id of the region */
  region: string;
  /** First instant of the hour. */
  hour: Instant;
  ok: number;
  down: number;
  /** Number of results with the status `failed` or `error`. */
  failed: number;
}

/** The fields of a result that are counted. */
export interface CountedResult {
  check_id: string;
  organization_id: string;
  region: string;
  status: ResultStatus;
  response_time: number | null;
  created_at: Instant;
}

/** Returns the first instant of the hour that contains an instant. */
export const hourOf = (instant: Instant): Instant => `${instant.slice(0, 13)}:00:00.000000`;

type Place = Pick<CountedResult, 'check_id' | 'organization_id' | 'region' | 'created_at'>;

export const checkHourId = ({ check_id, region, created_at }: Place): string =>
  `${check_id} ${created_at.slice(0, 13)} ${region}`;

export const organizationHourId = ({ organization_id, region, created_at }: Place): string =>
  `${organization_id} ${created_at.slice(0, 13)} ${region}`;

const NOTHING: Tally = { count: 0, timed: 0, sum: 0, times: [] };

/** Adds a result to the hour of a check. */
export const withResult = (before: CheckHourDocument | undefined, result: CountedResult): CheckHourDocument => {
  const { check_id, organization_id, region, status, response_time, created_at } = result;
  const hour = before ?? {
    id: checkHourId(result),
    check_id,
    organization_id,
    region,
    hour: hourOf(created_at),
    tallies: {},
  };
  const known = hour.tallies[status] ?? NOTHING;
  const { count, timed, sum, times } = known;
  const tally: Tally =
    response_time === null
      ? { ...known, count: count + 1 }
      : { count: count + 1, timed: timed + 1, sum: sum + response_time, times: withTime(times, response_time) };
  return { ...hour, tallies: { ...hour.tallies, [status]: tally } };
};

/** Adds a result to the hour of an organization. */
export const withOutcome = (
  known: OrganizationHourDocument | undefined,
  result: CountedResult,
): OrganizationHourDocument => {
  const { organization_id, region, status, created_at } = result;
  const hour = known ?? {
    id: organizationHourId(result),
    organization_id,
    region,
    hour: hourOf(created_at),
    ...NO_OUTCOMES,
  };
  const outcome = status === 'error' ? 'failed' : status;
  return { ...hour, [outcome]: hour[outcome] + 1 };
};

export interface Outcomes {
  ok: number;
  down: number;
  failed: number;
}

export const NO_OUTCOMES: Outcomes = { ok: 0, down: 0, failed: 0 };

export const outcomesOf = ({ ok, down, failed, error }: Tallies): Outcomes => ({
  ok: ok?.count ?? 0,
  down: down?.count ?? 0,
  failed: (failed?.count ?? 0) + (error?.count ?? 0),
});

/** Adds up tallies. */
export const sumTallies = (tallies: readonly Tally[]): Tally => ({
  count: tallies.reduce((count, tally) => count + tally.count, 0),
  timed: tallies.reduce((timed, tally) => timed + tally.timed, 0),
  sum: tallies.reduce((sum, tally) => sum + tally.sum, 0),
  times: mergeResponseTimes(tallies.map((tally) => tally.times)),
});
