import { timesOf } from '../domain/check-result/response-times.ts';
import type { Instant } from '../domain/time.ts';
import type { CheckHourDocument, Tally } from '../projections/check-results/hours.ts';
import { checkResults } from '../projections/check-results/projection.ts';
import type { Read } from '../projections/readers.ts';
import type { Where } from '../stores/read-store/port.ts';
import { grouped, inOrder, responseTimesOf, type RegionalResponseTimes } from './check-figures.ts';
import { hoursBetween } from './check-hours.ts';
import { bucketsBetween, bucketsOf, coverable, FIVE_MINUTES, type Buckets } from './result-buckets.ts';
import { asksFor, filtered, regionId, within, type ResultFilters } from './result-filters.ts';

export interface ResponseTimesAsked {
  check_id: string;
  from: Instant;
  to: Instant;
  now: Instant;
  filters: ResultFilters;
}

/** More results than these are told by hours, which have been counted; six regions have 17,280 in a day. */
export const MAX_COUNTED = 50_000;

/** In one region, from an instant on. */
interface Part extends Tally {
  at: Instant;
  region: string;
}

/**
 * Response times of a check by bucket and region, in order: of a time up to a day by five minutes, which are
 * counted from the results when they are asked for; of a longer one by whole hours.
 */
export const responseTimesBetween = async (
  read: Read,
  asked: ResponseTimesAsked,
): Promise<{ bucket_seconds: number; response_times: RegionalResponseTimes[] }> => {
  const { from, to } = asked;
  const single = coverable(from, to, FIVE_MINUTES) ? await timedResults(read, asked) : null;
  return single
    ? inBuckets(bucketsOf(FIVE_MINUTES), single)
    : inBuckets(bucketsBetween(from, to > from ? to : from), await timedHours(read, asked));
};

const inBuckets = ({ seconds, startOf }: Buckets, parts: readonly Part[]) => ({
  bucket_seconds: seconds,
  response_times: inOrder(grouped(parts, ({ at, region }) => `${startOf(at)} ${region}`)).flatMap(([, group]) => {
    const [{ at, region } = { at: '', region: '' }] = group;
    return responseTimesOf(group).map((figures) => ({ timestamp: startOf(at), region, ...figures }));
  }),
});

/** Each result that has a response time; null where there are too many to look at. */
const timedResults = async (read: Read, asked: ResponseTimesAsked): Promise<Part[] | null> => {
  const { check_id, from, to, now, filters } = asked;
  const { check_results } = read(checkResults);
  const until = to < now ? to : undefined;
  const where: Where = { check_id, ...within(from, until), ...filtered(filters), response_time: { $gte: 0 } };
  if ((await check_results.count(where)) > MAX_COUNTED) return null;
  const sort = { created_at: 1, status: 1, region: 1, response_time: 1 } as const;
  const results = await check_results.pick(['created_at', 'region', 'response_time'], { where, sort });
  return results.map(({ created_at, region, response_time }) => {
    const time = response_time ?? 0;
    return { at: created_at, region, count: 1, timed: 1, sum: time, times: timesOf(time) };
  });
};

const timedHours = async (read: Read, { filters, ...asked }: ResponseTimesAsked): Promise<Part[]> => {
  const { region } = filters;
  const hours = await hoursBetween(read, { ...asked, ...(region !== undefined && { region: regionId(region) }) });
  return hours.flatMap((hour) =>
    wantedOf(hour, filters).map((tally) => ({ ...tally, at: hour.hour, region: hour.region })),
  );
};

const wantedOf = ({ tallies }: CheckHourDocument, filters: ResultFilters) =>
  (['ok', 'down', 'failed', 'error'] as const).flatMap((status) => (asksFor(filters, status) && tallies[status]) || []);
