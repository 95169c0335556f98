import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { HOUR } from './hourly-counts.ts';

/** The most buckets per region (docs/reference/results.md#response-times). */
export const MAX_BUCKETS = 300;

/** Milliseconds. */
export const FIVE_MINUTES = 300_000;

/** Bucket lengths that divide a day, in hours; longer buckets are whole days. */
const HOURS = [1, 2, 3, 4, 6, 8, 12];

const numberOf = (from: Instant, to: Instant, length: number): number =>
  Math.floor(millisecondsOf(to) / length) - Math.floor(millisecondsOf(from) / length) + 1;

/** Whether buckets of a length, in milliseconds, can cover a period. */
export const canCover = (from: Instant, to: Instant, length: number): boolean =>
  numberOf(from, to, length) <= MAX_BUCKETS;

/** Buckets of equal length that cover a period. */
export interface Buckets {
  seconds: number;
  /** the first instant of the bucket that contains an instant */
  startOf: (instant: Instant) => Instant;
}

/** @param length milliseconds; buckets are aligned to midnight UTC */
export const bucketsOf = (length: number): Buckets => ({
  seconds: length / 1_000,
  startOf: (instant) => instantOf(Math.floor(millisecondsOf(instant) / length) * length),
});

/** Buckets from one instant to another: whole hours, as short as the limit allows. */
export const bucketsBetween = (from: Instant, to: Instant): Buckets => {
  let length = (HOURS.find((hours) => canCover(from, to, hours * HOUR)) ?? 24) * HOUR;
  while (!canCover(from, to, length)) length += 24 * HOUR;
  return bucketsOf(length);
};
