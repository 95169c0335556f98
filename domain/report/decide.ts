import { derivedId } from '../identity.ts';
import { isExisting } from '../existence.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { ReportEvent, ReportFields, ReportSummary } from './events.ts';
import { lastPeriodOf, type ReportPeriod } from './scheduled-periods.ts';
import { existing, requireAbsent, type Report } from './state.ts';

/** The defaults of a new report. */
export const REPORT_DEFAULTS = {
  format: 'pdf',
  check_ids: [],
  tag: null,
  page_id: null,
  schedule: null,
  time_zone: 'UTC',
  target_percentage: null,
  recipients: [],
} as const;

/** The data of a request for a report. */
export interface ReportRequest {
  id: string;
  organization_id: string;
  report: ReportFields;
  recipients: Sealed[];
  created_by: string | null;
  scheduled_by: string | null;
}

/** @throws Conflict */
export const requestReport = (
  state: Report,
  { id, organization_id, report, recipients, created_by, scheduled_by }: ReportRequest,
  now: Instant,
): ReportEvent => {
  requireAbsent(state);
  const { schedule, time_zone } = report;
  return {
    type: 'ReportRequested',
    data: {
      report_id: id,
      organization_id,
      requested_at: now,
      report,
      recipients,
      created_by,
      scheduled_by,
      next_run_at: schedule === null ? null : lastPeriodOf(schedule, time_zone, now).next_run_at,
    },
  };
};

/** A report that is due by the schedule of a template. */
export interface ScheduledRun extends ReportPeriod {
  run_id: string;
  next_run_at: Instant;
}

/**
 * Returns the report that is due by the schedule of a template. The report covers the most recent complete period;
 * earlier periods that were missed are skipped. Returns null if no new period has ended, for example after the clock
 * was set back.
 */
export const dueRun = (state: Report, now: Instant): ScheduledRun | null => {
  if (!isExisting(state) || state.report.schedule === null) return null;
  const { schedule, time_zone } = state.report;
  const due = lastPeriodOf(schedule, time_zone, now);
  // The first report of a template may cover any period, even one that extends into the current week, so the due period
  // may already be part of that report. Therefore, compare with `reported_to`.
  const isNew = state.next_run_at !== null && state.next_run_at <= now && due.period_end > state.reported_to;
  return isNew ? { ...due, run_id: derivedId(`report/${state.id}/${due.period_end}`) } : null;
};

/** Returns the fields of a scheduled report. */
export const scheduledReportOf = (
  template: ReportFields,
  { period_start, period_end }: ReportPeriod,
): ReportFields => ({
  ...template,
  period_start,
  period_end,
  schedule: null,
});

/** @throws NotFound the template was deleted */
export const repeatReport = (state: Report, turn: ScheduledRun, now: Instant): ReportEvent => {
  const { run_id, period_start, period_end, next_run_at } = turn;
  const { id } = existing(state);
  return {
    type: 'ReportRepeated',
    data: { report_id: id, run_id, repeated_at: now, period_start, period_end, next_run_at },
  };
};

/**
 * Records that a report's file is stored. Returns no event if the report has already ended.
 *
 * @throws NotFound the report was deleted
 */
export const completeReport = (
  state: Report,
  { artifact_id, size, summary }: { artifact_id: string; size: number; summary: ReportSummary },
  now: Instant,
): ReportEvent[] => {
  const { id, status } = existing(state);
  if (status !== 'queued') return [];
  return [{ type: 'ReportCompleted', data: { report_id: id, completed_at: now, artifact_id, size, summary } }];
};

/**
 * Records that a report cannot be generated. Returns no event if the report has already ended.
 *
 * @throws NotFound the report was deleted
 */
export const failReport = (state: Report, error_message: string, now: Instant): ReportEvent[] => {
  const { id, status } = existing(state);
  if (status !== 'queued') return [];
  return [{ type: 'ReportFailed', data: { report_id: id, failed_at: now, error_message } }];
};

/** @throws NotFound */
export const deleteReport = (state: Report, now: Instant): ReportEvent => ({
  type: 'ReportDeleted',
  data: { report_id: existing(state).id, deleted_at: now },
});
