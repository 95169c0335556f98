import type { Day, Instant } from '../time.ts';
import type { ReportFields, ReportSummary } from './events.ts';

/** The error budget of an uptime target, in seconds of downtime. `left` is negative if the target was missed. */
export interface Budget {
  allowed: number;
  used: number;
  left: number;
}

/** Figures for each day, in the order of the report's days. The figure of a day without data is null. */
export interface ByDay {
  uptime: (number | null)[];
  /** number of runs */
  total: number[];
  /** response times in whole milliseconds */
  average: (number | null)[];
  p95: (number | null)[];
}

export interface CheckContent {
  id: string;
  name: string;
  type: string;
  /** percentage of successful runs, two decimals; null without runs */
  uptime_percentage: number | null;
  total_checks: number;
  successful_checks: number;
  failed_checks: number;
  /** response times, whole milliseconds */
  average_response_time: number | null;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  outages: number;
  /** seconds of downtime within the period */
  downtime: number;
  /** null without an uptime target, or without runs */
  budget: Budget | null;
  by_day: ByDay;
}

export interface ComponentContent {
  id: string;
  name: string;
  /** name of the component's group */
  group: string | null;
  /** null without measurements */
  uptime_percentage: number | null;
  /** seconds of outage */
  major_outage: number;
  partial_outage: number;
  budget: Budget | null;
  by_day: Pick<ByDay, 'uptime'>;
}

/** A downtime of a check. It may begin before the period or end after it. */
export interface ComponentOutage {
  check_id: string;
  check_name: string;
  started_at: Instant;
  /** null if the downtime has not ended */
  ended_at: Instant | null;
  /** Total duration in seconds. If the downtime has not ended, the duration until the report was generated. */
  duration: number;
  /** the cause as a sentence; null if unknown */
  cause: string | null;
}

export interface IncidentContent {
  id: string;
  name: string;
  kind: 'regular' | 'maintenance';
  /** name of the incident's page */
  page: string;
  impact: string | null;
  status: string;
  started_at: Instant;
  /** null if the incident is not resolved */
  resolved_at: Instant | null;
  /** Duration in seconds. If the incident is not resolved, the duration until the report was generated. */
  duration: number;
  /** names of the affected components */
  components: string[];
  /** oldest first */
  updates: { created_at: Instant; status: string; body: string }[];
}

/** The content of a report, independent of its format. */
export interface ReportContent extends Omit<ReportFields, 'check_ids' | 'page_id' | 'schedule' | 'format'> {
  id: string;
  /** name of the organization */
  organization: string;
  /** name of the page; null if the report is not about a page */
  page: string | null;
  generated_at: Instant;
  summary: ReportSummary;
  /** the days of the period in the report's time zone */
  days: Day[];
  /** mean or total figures of all checks; in a report without checks, of all components */
  by_day: ByDay;
  /** sorted by name */
  checks: CheckContent[];
  /** sorted by group and position */
  components: ComponentContent[];
  /** newest first; the oldest may be omitted */
  outages: ComponentOutage[];
  /** newest first; the oldest may be omitted */
  incidents: IncidentContent[];
}

/** Maximum number of outages and of incidents that a report lists. The figures of the report include all of them. */
export const MAX_LISTED = 2_000;

/** Rounds a number to two decimals. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Returns the error budget of an uptime target. @param seconds length of the period */
export const budgetOf = (uptime: number | null, target: number | null, seconds: number): Budget | null => {
  if (uptime === null || target === null) return null;
  const [allowed, used] = [target, uptime].map((percentage) => Math.round(((100 - percentage) / 100) * seconds));
  return { allowed: allowed ?? 0, used: used ?? 0, left: (allowed ?? 0) - (used ?? 0) };
};

/** Returns the unrounded mean of the values that are not null; null if all values are null. */
export const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};

/** Returns the mean of the values that are not null, with two decimals. */
export const meanPercentage = (values: readonly (number | null)[]): number | null => {
  const mean = meanOf(values);
  return mean === null ? null : rounded(mean);
};
