import { singleResponseTime } from '../../domain/check-result/response-times.ts';
import type { Instant } from '../../domain/time.ts';
import type { CheckHourDocument, Tally } from '../../projections/check-results/hours.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { createdWithin } from '../engine/filters.ts';
import { grouped, inOrder } from '../../domain/grouped.ts';
import type { Scope } from '../engine/scope.ts';
import { bucketsBetween, bucketsOf, canCover, FIVE_MINUTES, type Buckets } from './buckets.ts';
import { summarizeResponseTimes, type RegionalResponseTimes } from './statistics.ts';
import { includesStatus, filterConditions, later, regionId, type ResultFilters } from './filters.ts';
import { readHourlyCounts } from './hourly-counts.ts';

type QueryScope = Pick<Scope, 'read' | 'now' | 'resultsFrom'>;

interface ResponseTimes {
  /** Length of a bucket. */
  bucket_seconds: number;
  response_times: RegionalResponseTimes[];
}

/** The check, the period and the filters of a query. */
interface ResponseTimesQuery {
  check_id: string;
  from: Instant;
  to: Instant;
  filters: ResultFilters;
}

/** If a period has more results than this, hourly sums are used instead. Six regions have 17,280 results a day. */
export const MAX_COUNTED = 50_000;

/** Sums of response times in one region, starting at an instant. */
interface Part extends Tally {
  at: Instant;
  region: string;
}

/**
 * Returns the response times of a check by bucket and region, in order. By default, the period starts at the first
 * result. For a period of up to one day, buckets are five minutes long and computed from results. For a longer period,
 * buckets consist of whole hours.
 */
export const responseTimes = async (
  scope: QueryScope,
  { id: check_id }: CheckDocument,
  filters: ResultFilters,
): Promise<ResponseTimes> => {
  const { start_date, end_date } = filters;
  const to = end_date === undefined || end_date > scope.now ? scope.now : end_date;
  const from = later(start_date ?? (await firstHour(scope, check_id)) ?? to, scope.resultsFrom());
  const resultsQuery = { check_id, from, to, filters };
  const single = canCover(from, to, FIVE_MINUTES) ? await timedResults(scope, resultsQuery) : null;
  return single
    ? inBuckets(bucketsOf(FIVE_MINUTES), single)
    : inBuckets(bucketsBetween(from, later(to, from)), await timedHours(scope, resultsQuery));
};

/** Returns the first hour in which a check has a result, or null if the check has no results. */
const firstHour = async ({ read }: QueryScope, checkId: string): Promise<Instant | null> => {
  const query = { where: { check_id: checkId }, sort: { hour: 1 }, limit: 1 } as const;
  const [first] = await read(checkResults).check_hours.find(query);
  return first?.hour ?? null;
};

const inBuckets = ({ seconds, startOf }: Buckets, parts: readonly Part[]): ResponseTimes => ({
  bucket_seconds: seconds,
  response_times: inOrder(grouped(parts, ({ at, region }) => `${startOf(at)} ${region}`)).flatMap(([, group]) => {
    const [{ at, region } = { at: '', region: '' }] = group;
    return summarizeResponseTimes(group).map((figures) => ({ timestamp: startOf(at), region, ...figures }));
  }),
});

/** Reads the results that have a response time. Returns null if there are more than {@link MAX_COUNTED}. */
const timedResults = async (
  { read, now }: QueryScope,
  { check_id, from, to, filters }: ResponseTimesQuery,
): Promise<Part[] | null> => {
  const { check_results } = read(checkResults);
  const until = to < now ? to : undefined;
  const where: Where = {
    check_id,
    ...createdWithin(from, until),
    ...filterConditions(filters),
    response_time: { $gte: 0 },
  };
  if ((await check_results.count(where)) > MAX_COUNTED) return null;
  const sort = { created_at: 1, status: 1, region: 1, response_time: 1 } as const;
  const results = await check_results.pick(['created_at', 'region', 'response_time'], { where, sort });
  return results.map(({ created_at, region, response_time }) => {
    const time = response_time ?? 0;
    return { at: created_at, region, count: 1, timed: 1, sum: time, times: singleResponseTime(time) };
  });
};

const timedHours = async (scope: QueryScope, { filters, ...asked }: ResponseTimesQuery): Promise<Part[]> => {
  const { region } = filters;
  const hours = await readHourlyCounts(scope, { ...asked, ...(region !== undefined && { region: regionId(region) }) });
  return hours.flatMap((hour) =>
    wantedOf(hour, filters).map((tally) => ({ ...tally, at: hour.hour, region: hour.region })),
  );
};

const wantedOf = ({ tallies }: CheckHourDocument, filters: ResultFilters) =>
  (['ok', 'down', 'failed', 'error'] as const).flatMap(
    (status) => (includesStatus(filters, status) && tallies[status]) || [],
  );
