/**
 * Response times as a mergeable histogram: `[bucket, count, bucket, count, …]` in the order of the
 * buckets, without empty ones. Below 128 ms each millisecond is a bucket; above, each doubling has 64
 * buckets, so the error is less than 0.8 %.
 */
export type ResponseTimes = readonly number[];

/** The accuracy of percentiles, for API descriptions. */
export const PERCENTILES_DESCRIPTION =
  'approximate: the nearest rank in a histogram, exact below 128 ms, above off by less than 0.8 %';

/** Buckets per doubling; a power of two. */
const STEPS = 64;

const bucketOf = (milliseconds: number): number => {
  const doublings = Math.max(0, 31 - Math.clz32(milliseconds) - Math.log2(STEPS));
  return doublings * STEPS + (milliseconds >> doublings);
};

/** The whole millisecond in the middle of a bucket. */
const middleOf = (bucket: number): number => {
  const doublings = Math.max(0, Math.floor(bucket / STEPS) - 1);
  const first = (bucket - doublings * STEPS) * 2 ** doublings;
  return first + Math.floor((2 ** doublings - 1) / 2);
};

/** The histogram of one response time, in whole milliseconds. */
export const emptyOrResponseTimes = (milliseconds: number): ResponseTimes => [bucketOf(milliseconds), 1];

/** The histogram with one more response time, in whole milliseconds. */
export const withTime = (times: ResponseTimes, milliseconds: number): ResponseTimes =>
  mergeResponseTimes([times, emptyOrResponseTimes(milliseconds)]);

/** The sum of several histograms. */
export const mergeResponseTimes = (histograms: Iterable<ResponseTimes>): ResponseTimes => {
  const counts: number[] = [];
  for (const times of histograms) {
    for (let at = 0; at < times.length; at += 2) {
      const bucket = times[at] ?? 0;
      counts[bucket] = (counts[bucket] ?? 0) + (times[at + 1] ?? 0);
    }
  }
  // `forEach` skips empty elements.
  const result: number[] = [];
  counts.forEach((count, bucket) => result.push(bucket, count));
  return result;
};

export const countOf = (times: ResponseTimes): number =>
  times.reduce((sum, value, at) => (at % 2 === 1 ? sum + value : sum), 0);

/**
 * The response time that a share of all (above 0, up to 1) does not exceed, in whole milliseconds; null for
 * an empty histogram.
 */
export const percentileOf = (times: ResponseTimes, share: number): number | null => {
  let before = Math.ceil(share * countOf(times));
  for (let at = 0; at < times.length; at += 2) {
    before -= times[at + 1] ?? 0;
    if (before <= 0) return middleOf(times[at] ?? 0);
  }
  return null;
};
