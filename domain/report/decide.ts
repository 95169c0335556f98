import { derivedId } from '../identity.ts';
import { isThere } from '../lifecycle.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { ReportEvent, ReportFields, ReportSummary } from './events.ts';
import { turnOf, type Period } from './schedule.ts';
import { existing, requireAbsent, type Report } from './state.ts';

/** What a new report is set to where nothing was sent. */
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

/** A report to be made, and who asks for it. */
export interface Asking {
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
  { id, organization_id, report, recipients, created_by, scheduled_by }: Asking,
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
      next_run_at: schedule === null ? null : turnOf(schedule, time_zone, now).next_run_at,
    },
  };
};

/** A turn of a template's schedule: the report that is asked for. */
export interface Turn extends Period {
  run_id: string;
  next_run_at: Instant;
}

/**
 * What the schedule of a template asks for now: a report about the period that has ended last, one alone however many
 * were missed. Null: nothing new has ended, as after a clock was set back, or there is no schedule any more.
 */
export const nextTurn = (state: Report, now: Instant): Turn | null => {
  if (!isThere(state) || state.report.schedule === null) return null;
  const { schedule, time_zone } = state.report;
  const turn = turnOf(schedule, time_zone, now);
  // The first report of a template may be about any time, also about one that reaches into a week which has not ended.
  const isNew = state.next_run_at !== null && state.next_run_at <= now && turn.period_end > state.reported_to;
  return isNew ? { ...turn, run_id: derivedId(`report/${state.id}/${turn.period_end}`) } : null;
};

/** What a report that a schedule asks for is to be about. */
export const runOf = (template: ReportFields, { period_start, period_end }: Period): ReportFields => ({
  ...template,
  period_start,
  period_end,
  schedule: null,
});

/** @throws NotFound it was deleted */
export const repeatReport = (state: Report, turn: Turn, now: Instant): ReportEvent => {
  const { run_id, period_start, period_end, next_run_at } = turn;
  const { id } = existing(state);
  return {
    type: 'ReportRepeated',
    data: { report_id: id, run_id, repeated_at: now, period_start, period_end, next_run_at },
  };
};

/** Its file is there. Nothing, if something has come of it before. @throws NotFound it was deleted */
export const completeReport = (
  state: Report,
  { artifact_id, size, summary }: { artifact_id: string; size: number; summary: ReportSummary },
  now: Instant,
): ReportEvent[] => {
  const { id, status } = existing(state);
  if (status !== 'queued') return [];
  return [{ type: 'ReportCompleted', data: { report_id: id, completed_at: now, artifact_id, size, summary } }];
};

/** It can't be made. Nothing, if something has come of it before. @throws NotFound it was deleted */
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
