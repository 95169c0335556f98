/**
 * Response times as a histogram that can be merged with others: `[bucket, count, bucket, count, …]`, in the order of
 * the buckets, without empty buckets. Below 128 ms, each bucket is one millisecond wide. From there on, each doubling
 * (128 to 255 ms, 256 to 511 ms, …) has 64 buckets, so the error is less than 0.8 %.
 */
export type ResponseTimes = readonly number[];

/** The accuracy of percentiles, as a text for API descriptions. */
export const PERCENTILES_DESCRIPTION =
  'approximate: the nearest rank in a histogram, exact below 128 ms, above off by less than 0.8 %';

/** Number of buckets per doubling. It must be a power of two. */
const STEPS = 64;

const bucketOf = (milliseconds: number): number => {
  const doublings = Math.max(0, 31 - Math.clz32(milliseconds) - Math.log2(STEPS));
  return doublings * STEPS + (milliseconds >> doublings);
};

/** Returns the whole millisecond in the middle of a bucket. */
const middleOf = (bucket: number): number => {
  const doublings = Math.max(0, Math.floor(bucket / STEPS) - 1);
  const first = (bucket - doublings * STEPS) * 2 ** doublings;
  return first + Math.floor((2 ** doublings - 1) / 2);
};

/** Returns a histogram that contains one response time, given in whole milliseconds. */
export const singleResponseTime = (milliseconds: number): ResponseTimes => [bucketOf(milliseconds), 1];

/** Returns a histogram with one more response time, given in whole milliseconds. */
export const withTime = (times: ResponseTimes, milliseconds: number): ResponseTimes =>
  mergeResponseTimes([times, singleResponseTime(milliseconds)]);

/** Returns the sum of several histograms. */
export const mergeResponseTimes = (histograms: Iterable<ResponseTimes>): ResponseTimes => {
  const counts: number[] = [];
  for (const times of histograms) {
    for (let at = 0; at < times.length; at += 2) {
      const bucket = times[at] ?? 0;
      counts[bucket] = (counts[bucket] ?? 0) + (times[at + 1] ?? 0);
    }
  }
  // `counts` is sparse. `forEach` skips its holes, which are empty buckets.
  const result: number[] = [];
  counts.forEach((count, bucket) => result.push(bucket, count));
  return result;
};

export const countOf = (times: ResponseTimes): number =>
  times.reduce((sum, value, at) => (at % 2 === 1 ? sum + value : sum), 0);

/**
 * Returns a percentile in whole milliseconds: the smallest response time that a share of all response times does not
 * exceed. Null for an empty histogram.
 *
 * @param share above 0, at most 1; for example 0.95
 */
export const percentileOf = (times: ResponseTimes, share: number): number | null => {
  let before = Math.ceil(share * countOf(times));
  for (let at = 0; at < times.length; at += 2) {
    before -= times[at + 1] ?? 0;
    if (before <= 0) return middleOf(times[at] ?? 0);
  }
  return null;
};
