import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { HOUR } from './check-hours.ts';

/** At most so many buckets a region (decisions.md: Checks). */
export const MAX_BUCKETS = 200;

/** Lengths that divide a day, in hours; longer ones are whole days. */
const HOURS = [1, 2, 3, 4, 6, 8, 12];

const numberOf = (from: Instant, to: Instant, length: number): number =>
  Math.floor(millisecondsOf(to) / length) - Math.floor(millisecondsOf(from) / length) + 1;

/** Buckets of equal length, as short as they may be, that cover a time. */
export interface Buckets {
  seconds: number;
  /** the first instant of the bucket that an instant is in */
  startOf: (instant: Instant) => Instant;
}

/** Buckets for a time from one instant to another: whole hours, counted from midnight UTC. */
export const bucketsBetween = (from: Instant, to: Instant): Buckets => {
  let length = (HOURS.find((hours) => numberOf(from, to, hours * HOUR) <= MAX_BUCKETS) ?? 24) * HOUR;
  while (numberOf(from, to, length) > MAX_BUCKETS) length += 24 * HOUR;
  return {
    seconds: length / 1_000,
    startOf: (instant) => instantOf(Math.floor(millisecondsOf(instant) / length) * length),
  };
};
