import type { RequestOf } from '../../api/request.ts';
import { DAY_MS } from '../../../domain/time.ts';

export const RANGES = ['last7', 'last30', 'last90', 'lastMonth', 'custom'] as const;
export type Range = (typeof RANGES)[number];

type Body = RequestOf<'POST /v1/reports'>['body'];

/** A check covered by a report. */
export interface ChosenCheck {
  id: string;
  name: string;
}

/** The values of the report form. */
export interface Draft {
  name: string;
  report_type: Body['report_type'];
  subject: 'all' | 'tag' | 'page' | 'checks';
  tag: string;
  page_id: string;
  checks: readonly ChosenCheck[];
  range: Range;
  /** first and last day of the range `custom`: `2026-11-20` */
  from: string;
  to: string;
  schedule: 'none' | 'weekly' | 'monthly';
  time_zone: string;
  target_percentage: number | null;
  format: 'pdf' | 'json' | 'csv';
  recipients: readonly string[];
}

export const newDraft = (time_zone: string): Draft => ({
  name: '',
  report_type: 'uptime',
  subject: 'all',
  tag: '',
  page_id: '',
  checks: [],
  range: 'last30',
  from: '',
  to: '',
  schedule: 'none',
  time_zone,
  target_percentage: null,
  format: 'pdf',
  recipients: [],
});

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Returns today in a time zone: `2026-11-27`. */
export const todayIn = (time_zone: string, now: number): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: time_zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);

const DAYS: Readonly<Partial<Record<Range, number>>> = { last7: 7, last30: 30, last90: 90 };

/** Returns the first and the last day of a range. The range ends before today. */
export const periodOf = (
  range: Exclude<Range, 'custom'>,
  today: string,
): { period_start: string; period_end: string } => {
  const midnight = Date.parse(`${today}T00:00:00Z`);
  const days = DAYS[range];
  if (days !== undefined)
    return { period_start: dayOf(midnight - days * DAY_MS), period_end: dayOf(midnight - DAY_MS) };
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { period_start: dayOf(Date.UTC(year, month - 1, 1)), period_end: dayOf(Date.UTC(year, month, 0)) };
};

/** Returns the request body for a draft. Empty fields are sent, so that the API reports them as missing. */
export const bodyOf = (draft: Draft, today: string): Body => {
  const { name, report_type, subject, format, schedule, time_zone, target_percentage, recipients, range } = draft;
  const period = range === 'custom' ? { period_start: draft.from, period_end: draft.to } : periodOf(range, today);
  return {
    name: name.trim(),
    report_type,
    format,
    schedule: schedule === 'none' ? null : schedule,
    time_zone,
    target_percentage,
    recipients,
    ...(subject === 'tag' && { tag: draft.tag.trim() }),
    ...(subject === 'page' && { page_id: draft.page_id }),
    ...(subject === 'checks' && { check_ids: draft.checks.map(({ id }) => id) }),
    ...(schedule === 'none' && period),
  };
};
