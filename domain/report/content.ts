import type { Day, Instant } from '../time.ts';
import type { ReportFields, ReportSummary } from './events.ts';

/** The error budget of an uptime target in whole seconds; `left` is negative if the target was missed. */
export interface Budget {
  allowed: number;
  used: number;
  left: number;
}

/** Figures by day, in the order of the report's days; null without data. */
export interface ByDay {
  uptime: (number | null)[];
  /** runs */
  total: number[];
  /** whole milliseconds */
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
  /** seconds within the period */
  downtime: number;
  /** null without a target, or without runs */
  budget: Budget | null;
  by_day: ByDay;
}

export interface ComponentContent {
  id: string;
  name: string;
  /** name of its group */
  group: string | null;
  /** null without measurements */
  uptime_percentage: number | null;
  /** seconds */
  major_outage: number;
  partial_outage: number;
  budget: Budget | null;
  by_day: Pick<ByDay, 'uptime'>;
}

/** A downtime of a check; it may extend beyond the period. */
export interface ComponentOutage {
  check_id: string;
  check_name: string;
  started_at: Instant;
  /** null if it has not ended */
  ended_at: Instant | null;
  /** total duration in seconds; until the report was generated if it has not ended */
  duration: number;
  /** a sentence; null if unknown */
  cause: string | null;
}

export interface IncidentContent {
  id: string;
  name: string;
  kind: 'regular' | 'maintenance';
  /** name of its page */
  page: string;
  impact: string | null;
  status: string;
  started_at: Instant;
  /** null if it is not resolved */
  resolved_at: Instant | null;
  /** seconds; until the report was generated if it is not resolved */
  duration: number;
  /** names */
  components: string[];
  /** oldest first */
  updates: { created_at: Instant; status: string; body: string }[];
}

/** The content of a report, independent of its format. */
export interface ReportContent extends Omit<ReportFields, 'check_ids' | 'page_id' | 'schedule' | 'format'> {
  id: string;
  /** name of the organization */
  organization: string;
  /** name of the page; null without one */
  page: string | null;
  generated_at: Instant;
  summary: ReportSummary;
  /** in the report's time zone */
  days: Day[];
  /** over all checks, or over all components without checks */
  by_day: ByDay;
  /** by name */
  checks: CheckContent[];
  /** by group and position */
  components: ComponentContent[];
  /** newest first; the oldest may be omitted */
  outages: ComponentOutage[];
  /** newest first; the oldest may be omitted */
  incidents: IncidentContent[];
}

/** Maximum of listed outages and incidents; all are counted. */
export const MAX_LISTED = 2_000;

/** Rounds to two decimals. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The error budget of a target. @param seconds length of the period */
export const budgetOf = (uptime: number | null, target: number | null, seconds: number): Budget | null => {
  if (uptime === null || target === null) return null;
  const [allowed, used] = [target, uptime].map((percentage) => Math.round(((100 - percentage) / 100) * seconds));
  return { allowed: allowed ?? 0, used: used ?? 0, left: (allowed ?? 0) - (used ?? 0) };
};

/** The unrounded mean of the values that are not null; null without any. */
export const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};

/** The mean with two decimals. */
export const meanPercentage = (values: readonly (number | null)[]): number | null => {
  const mean = meanOf(values);
  return mean === null ? null : rounded(mean);
};
