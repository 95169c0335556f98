import { DAY_MS, instantOf, millisecondsOf, type Instant } from '../time.ts';

/** The accounting period of credits: a UTC month (docs/reference/credits.md#period). */
export interface CreditPeriod {
  /** the first instant of the period */
  start: Instant;
  /** the first instant of the next period */
  end: Instant;
}

/** The period that contains an instant. */
export const creditPeriodOf = (instant: Instant): CreditPeriod => {
  const [year = 0, month = 1] = instant.split('-').map(Number);
  return { start: instantOf(Date.UTC(year, month - 1)), end: instantOf(Date.UTC(year, month)) };
};

/** The first instant of the UTC day that contains an instant. */
export const startOfDay = (instant: Instant): Instant => `${instant.slice(0, 10)}T00:00:00.000000`;

/** The first instants of all days of a period. */
export const daysOf = ({ start, end }: CreditPeriod): Instant[] => {
  const first = millisecondsOf(start);
  const days = (millisecondsOf(end) - first) / DAY_MS;
  return Array.from({ length: days }, (_, day) => instantOf(first + day * DAY_MS));
};
