import { DAY_MS, HOUR_MS } from '../../../../domain/time.ts';

/** Periods for which statistics are shown. */
export const RANGES = ['1h', '24h', '7d', '30d', '6m'] as const;
export type Range = (typeof RANGES)[number];

/** Lengths of the ranges in milliseconds. The longest range equals the retention period of results, six months. */
export const LENGTH_MS: Readonly<Record<Range, number>> = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '6m': 183 * DAY_MS,
};

/** Returns the range in the URL, or one day if the URL has none. */
export const rangeOf = (text: string | null): Range => RANGES.find((range) => range === text) ?? '24h';

/** A period between two instants, in milliseconds since 1970. */
export interface Period {
  from: number;
  to: number;
}

export const periodOf = (range: Range, now: number): Period => ({ from: now - LENGTH_MS[range], to: now });

/** Returns an instant as ISO 8601 for the API. */
export const isoOf = (moment: number): string => new Date(moment).toISOString();
