import { DAY_MS, MINUTE_MS } from '../../../../domain/time.ts';

/** The periods to choose from. */
export const PERIODS = ['week', 'month', 'quarter', 'custom'] as const;
export type PeriodName = (typeof PERIODS)[number];

const DAYS: Readonly<Record<Exclude<PeriodName, 'custom'>, number>> = { week: 7, month: 30, quarter: 90 };

/** A simulated period, as API times. */
export interface SimulatedPeriod {
  from: string | null;
  to: string | null;
}

/** Returns a moment as an API time. */
const apiTime = (moment: number): string => new Date(moment).toISOString().slice(0, 19);

/**
 * Returns a period that ends a minute before `now`. The service refuses moments in the future, and the clock of the
 * service may be behind the clock of the browser.
 */
export const periodUntil = (name: Exclude<PeriodName, 'custom'>, now: number): SimulatedPeriod => ({
  from: apiTime(now - DAYS[name] * DAY_MS),
  to: apiTime(now - MINUTE_MS),
});
