import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { HOUR } from './hourly-counts.ts';

/** Maximum number of buckets per region (docs/reference/results.md#response-times). */
export const MAX_BUCKETS = 300;

/** Five minutes in milliseconds. */
export const FIVE_MINUTES = 300_000;

/** Bucket lengths that divide a day, in hours. Longer buckets are whole days. */
const HOURS = [1, 2, 3, 4, 6, 8, 12];

const numberOf = (from: Instant, to: Instant, length: number): number =>
  Math.floor(millisecondsOf(to) / length) - Math.floor(millisecondsOf(from) / length) + 1;

/** Tests whether {@link MAX_BUCKETS} buckets of a length, in milliseconds, cover a period. */
export const canCover = (from: Instant, to: Instant, length: number): boolean =>
  numberOf(from, to, length) <= MAX_BUCKETS;

/** Buckets of equal length that cover a period. */
export interface Buckets {
  seconds: number;
  /** Returns the first instant of the bucket that contains an instant. */
  startOf: (instant: Instant) => Instant;
}

/** Creates buckets that are aligned to midnight UTC. @param length length of a bucket, in milliseconds */
export const bucketsOf = (length: number): Buckets => ({
  seconds: length / 1_000,
  startOf: (instant) => instantOf(Math.floor(millisecondsOf(instant) / length) * length),
});

/** Returns the shortest buckets of whole hours that cover a period within the limit. */
export const bucketsBetween = (from: Instant, to: Instant): Buckets => {
  let length = (HOURS.find((hours) => canCover(from, to, hours * HOUR)) ?? 24) * HOUR;
  while (!canCover(from, to, length)) length += 24 * HOUR;
  return bucketsOf(length);
};
