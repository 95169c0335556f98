/** Lengths of the periods in days; null: unlimited. */
const DAYS = { all: null, month: 30, quarter: 90, year: 365 } as const;

export type Period = keyof typeof DAYS;

export const PERIODS = Object.keys(DAYS) as Period[];

export const isPeriod = (text: string): text is Period => PERIODS.some((period) => period === text);

/**
 * Returns the start of a period that ends now, or null if the period is unlimited. The start is rounded to a whole day,
 * so that it does not change between requests for the pages of a list.
 *
 * @param now milliseconds since 1970
 */
export const sinceOf = (period: Period, now: number): string | null => {
  const days = DAYS[period];
  return days === null ? null : `${new Date(now - days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
};
