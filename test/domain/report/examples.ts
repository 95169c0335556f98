import type { EventOf } from '../../../domain/event-types.ts';
import type { ReportFields, ReportSummary } from '../../../domain/report/events.ts';

export const REPORT_ID = 'report000001';

/** Returns the fields of a report about November 2026 in UTC. */
export const reportFields = (fields: Partial<ReportFields> = {}): ReportFields => ({
  name: 'Uptime of the shop',
  report_type: 'uptime',
  format: 'pdf',
  check_ids: [],
  tag: null,
  page_id: null,
  period_start: '2026-11-01T00:00:00.000000',
  period_end: '2026-11-15T23:59:59.999999',
  schedule: null,
  time_zone: 'UTC',
  target_percentage: 99.9,
  ...fields,
});

export const NO_SUMMARY: ReportSummary = {
  checks: 0,
  components: 0,
  incidents: 0,
  outages: 0,
  downtime: 0,
  uptime_percentage: null,
  average_response_time: null,
  p50: null,
  p95: null,
  p99: null,
  target_percentage: null,
  below_target: null,
};

/** Returns the event that requests a report, recorded on Monday, 16 November 2026. */
export const requested = (
  fields: Partial<ReportFields> = {},
  data: Partial<EventOf<'ReportRequested'>['data']> = {},
): EventOf<'ReportRequested'> => ({
  type: 'ReportRequested',
  data: {
    report_id: REPORT_ID,
    organization_id: 'org000000001',
    requested_at: '2026-11-16T09:00:00.000000',
    report: reportFields(fields),
    recipients: [],
    created_by: 'key000000001',
    scheduled_by: null,
    next_run_at: null,
    ...data,
  },
});

export const completed: EventOf<'ReportCompleted'> = {
  type: 'ReportCompleted',
  data: {
    report_id: REPORT_ID,
    completed_at: '2026-11-16T09:00:05.000000',
    artifact_id: `report-${REPORT_ID}`,
    size: 1_000,
    summary: NO_SUMMARY,
  },
};
