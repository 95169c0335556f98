import { DAY_MS, millisecondsOf, type Day, type Instant } from '../time.ts';
import { FIRST_TIME, LAST_DAY, LAST_TIME, plusDays, type Calendar } from './days.ts';
import type { Lane } from './lane.ts';
import { EARLIEST, type UptimeRange } from './range.ts';
import { measureSteps, type Interval, type MeasuredTime } from './intervals.ts';
import { phasesIn } from './timeline.ts';

/** The share of a partial outage that counts as downtime (docs/reference/uptime.md#percentage). */
export const PARTIAL_OUTAGE_WEIGHT = 0.3;

/** Determines when a component starts to exist: at `start_date` or, if that is null, at its creation. */
export interface ComponentExistence {
  start_date: Day | null;
  created_at: Instant;
}

/** Returns the first day of a component in the time zone of the calendar. */
export const firstDayOf = ({ start_date, created_at }: ComponentExistence, calendar: Calendar): Day =>
  start_date ?? calendar.dayOf(created_at);

/** A period in milliseconds since 1970. `to` is exclusive. */
export interface TimeSpan {
  from: number;
  to: number;
}

/** Converts days in the page's time zone to a period, which ends `now` at the latest. */
export const timeSpanOf = (
  { start, end }: Pick<UptimeRange, 'start' | 'end'>,
  calendar: Calendar,
  now: Instant,
): TimeSpan => ({
  from: calendar.startOf(start),
  to: end < calendar.dayOf(now) ? calendar.startOf(plusDays(end, 1)) : millisecondsOf(now),
});

/** Converts days in the page's time zone to a period, which may end in the future, within the calendar in UTC. */
export const wholeSpanOf = ({ start, end }: Pick<UptimeRange, 'start' | 'end'>, calendar: Calendar): TimeSpan => ({
  from: Math.max(FIRST_TIME, calendar.startOf(start)),
  to: Math.min(LAST_TIME, end < LAST_DAY ? calendar.startOf(plusDays(end, 1)) : calendar.startOf(end) + DAY_MS),
});

/** The figures in the uptime statistics of a component or group (docs/reference/uptime.md#fields). */
export interface UptimeStatistics {
  uptime_percentage: number;
  /** seconds */
  major_outage: number;
  /** seconds */
  partial_outage: number;
}

/** Returns when a component starts to exist, in milliseconds since 1970. */
export const startOfExistence = ({ start_date, created_at }: ComponentExistence, calendar: Calendar): number =>
  start_date === null ? millisecondsOf(created_at) : calendar.startOf(start_date);

/**
 * Measures one component, except for the time before it existed. Returns a generator, so that the caller can let other
 * work run between the steps.
 *
 * @param note receives the intervals that are summed
 */
export const measuring = (
  lanes: readonly Lane[],
  { from, to }: TimeSpan,
  component: ComponentExistence,
  calendar: Calendar,
  note?: (interval: Interval) => void,
): Generator<undefined, MeasuredTime> => {
  const exists = startOfExistence(component, calendar);
  return measureSteps(phasesIn(lanes), Math.max(from, exists, calendar.startOf(EARLIEST)), to, note);
};

const percentage = ({ total, major, partial }: MeasuredTime): number =>
  total === 0 ? 100 : (100 * (total - major - PARTIAL_OUTAGE_WEIGHT * partial)) / total;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Computes the figures of one component, or of a group. The figures of a group are the means of its components. For an
 * empty group they are 100, 0 and 0.
 *
 * @param parts the measurement of each component
 */
export const figuresOf = (parts: readonly MeasuredTime[]): UptimeStatistics => {
  if (parts.length === 0) return { uptime_percentage: 100, major_outage: 0, partial_outage: 0 };
  return {
    uptime_percentage: Math.round(mean(parts.map(percentage)) * 100) / 100,
    major_outage: Math.round(mean(parts.map(({ major }) => major / 1_000))),
    partial_outage: Math.round(mean(parts.map(({ partial }) => partial / 1_000))),
  };
};

/** The warning for a range that contains no measurable time. */
export const NOTHING_MEASURED =
  'Nothing was measured: the component did not exist or was under maintenance during the whole range.';
