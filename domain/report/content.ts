import type { Day, Instant } from '../time.ts';
import type { ReportFields, ReportSummary } from './events.ts';

/** What may be down without missing a target, in whole seconds; `left` is negative where it was missed. */
export interface Budget {
  allowed: number;
  used: number;
  left: number;
}

/** Figures by day, in the order of the report's days; null where there is nothing to compute them from. */
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
  /** 0 to 100, two decimals: runs that were ok; null if there were none */
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
  /** the name of its group */
  group: string | null;
  /** null where nothing was measured */
  uptime_percentage: number | null;
  /** seconds */
  major_outage: number;
  partial_outage: number;
  budget: Budget | null;
  by_day: Pick<ByDay, 'uptime'>;
}

/** A time in which a check was down; it may reach beyond the period. */
export interface Outage {
  check_id: string;
  check_name: string;
  started_at: Instant;
  /** null: it lasts */
  ended_at: Instant | null;
  /** seconds, of its whole time; until the report was made if it lasts */
  duration: number;
  /** a sentence; null: unknown */
  cause: string | null;
}

export interface IncidentContent {
  id: string;
  name: string;
  kind: 'regular' | 'maintenance';
  /** the name of its page */
  page: string;
  impact: string | null;
  status: string;
  started_at: Instant;
  /** null: it lasts */
  resolved_at: Instant | null;
  /** seconds; until the report was made if it lasts */
  duration: number;
  /** names */
  components: string[];
  /** the oldest first */
  updates: { created_at: Instant; status: string; body: string }[];
}

/** Everything that a report says, before it has a form. */
export interface ReportContent extends Omit<ReportFields, 'check_ids' | 'page_id' | 'schedule' | 'format'> {
  id: string;
  /** the name of the organization */
  organization: string;
  /** the name of the page; null without one */
  page: string | null;
  generated_at: Instant;
  summary: ReportSummary;
  /** in the report's time zone */
  days: Day[];
  /** over all checks, or over all components where there are no checks */
  by_day: ByDay;
  /** by name */
  checks: CheckContent[];
  /** by group and position */
  components: ComponentContent[];
  /** the newest first; the oldest may be left out */
  outages: Outage[];
  /** the newest first; the oldest may be left out */
  incidents: IncidentContent[];
}

/** How many outages, and how many incidents, are listed at most; all are counted. */
export const MOST_LISTED = 2_000;

/** Two decimals. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** What a target allows in a time, and what was used of it. @param seconds of the time */
export const budgetOf = (uptime: number | null, target: number | null, seconds: number): Budget | null => {
  if (uptime === null || target === null) return null;
  const [allowed, used] = [target, uptime].map((percentage) => Math.round(((100 - percentage) / 100) * seconds));
  return { allowed: allowed ?? 0, used: used ?? 0, left: (allowed ?? 0) - (used ?? 0) };
};

/** The mean of what there is, unrounded; null if there is nothing. */
export const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};

/** The same, two decimals. */
export const meanPercentage = (values: readonly (number | null)[]): number | null => {
  const mean = meanOf(values);
  return mean === null ? null : rounded(mean);
};
