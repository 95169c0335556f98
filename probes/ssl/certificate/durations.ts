import { DAY_MS, HOUR_MS, type Instant } from '../../../domain/time.ts';

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** Formats milliseconds in words, rounded down: `12 days`, `5 hours`, `less than an hour`. */
export const durationInWords = (milliseconds: number): string => {
  if (milliseconds >= DAY_MS) return counted(Math.floor(milliseconds / DAY_MS), 'day');
  if (milliseconds >= HOUR_MS) return counted(Math.floor(milliseconds / HOUR_MS), 'hour');
  return 'less than an hour';
};

/** Returns the day of an instant: `2026-11-20`. */
export const dayOf = (instant: Instant): string => instant.slice(0, 10);
