import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import type { ReportFields, ReportSummary } from '../../domain/report/events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A report in the form of API responses, without `download_url`. The recipients are encrypted. */
export interface ReportDocument extends ReportFields {
  id: string;
  organization_id: string;
  recipients: Sealed[];
  status: 'queued' | 'completed' | 'failed';
  error_message: string | null;
  summary: ReportSummary | null;
  /** Null until the report is completed. */
  artifact_id: string | null;
  /** Size of the file, in bytes. Null until the report is completed. */
  size: number | null;
  created_by: string | null;
  /** Id of the template whose schedule has requested the report. Otherwise null. */
  scheduled_by: string | null;
  /** Time at which the report's own schedule requests the next report. Null without a schedule. */
  next_run_at: Instant | null;
  created_at: Instant;
  completed_at: Instant | null;
}

/** A report that must be generated, or a template whose schedule must request a report. */
export interface ReportTaskDocument {
  /** Id of the report. */
  id: string;
  organization_id: string;
  due_at: Instant;
  changed_position: number;
}

/** A completed report with recipients, which is the cause of one message to each recipient. */
export interface ReportNoticeDocument {
  /** Id of the report. */
  id: string;
  organization_id: string;
  cause: Cause;
  /** Messages about alerts and accounts have a higher priority. */
  priority: 'page';
  /** The message belongs to no series. */
  series: null;
  /** Time at which the report was completed. */
  caused_at: Instant;
  changed_position: number;
}

/** A deleted report, whose file must be removed. */
export interface DeletedReportDocument {
  id: string;
  organization_id: string;
  changed_position: number;
}

/** The kind of cause that {@link ReportNoticeDocument} represents (reactors/delivery/). */
export const REPORT_CAUSE = 'report';

interface Models {
  reports: Model<ReportDocument>;
  report_makings: Model<ReportTaskDocument>;
}

/** Ends the generation of a report. */
const ended = (
  { data: { report_id } }: RecordedEventOf<'ReportCompleted' | 'ReportFailed'>,
  { reports, report_makings }: Models,
  fields: Partial<ReportDocument>,
): ReportDocument | null => {
  report_makings.delete(report_id);
  const report = reports.get(report_id);
  if (!report) return null;
  const now = { ...report, ...fields };
  reports.put(now);
  return now;
};

/** Reports, and the lists of tasks for them. */
export const reports = defineProjection({
  name: 'reports',
  version: 2,
  log: 'main',
  collections: {
    reports: collection<ReportDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
    report_makings: collection<ReportTaskDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }),
    report_turns: collection<ReportTaskDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }),
    report_notices: collection<ReportNoticeDocument>({ indexes: [{ changed_position: 1 }] }),
    deleted_reports: collection<DeletedReportDocument>({ indexes: [{ changed_position: 1 }] }),
  },
  documents: ({ data: { report_id: id } }) => ({
    reports: [id],
    report_makings: [id],
    report_turns: [id],
    report_notices: [id],
    deleted_reports: [id],
  }),
  on: {
    ReportRequested: ({ data, position }, { reports, report_makings, report_turns }) => {
      const { report_id: id, organization_id, requested_at, report, next_run_at } = data;
      const { recipients, created_by, scheduled_by } = data;
      reports.put({
        id,
        organization_id,
        ...report,
        recipients,
        status: 'queued',
        error_message: null,
        summary: null,
        artifact_id: null,
        size: null,
        created_by,
        scheduled_by,
        next_run_at,
        created_at: requested_at,
        completed_at: null,
      });
      const task = { id, organization_id, changed_position: Number(position) };
      report_makings.put({ ...task, due_at: requested_at });
      if (next_run_at !== null) report_turns.put({ ...task, due_at: next_run_at });
    },
    ReportRepeated: ({ data: { report_id, next_run_at }, position }, { reports, report_turns }) => {
      const report = reports.get(report_id);
      if (!report) return;
      reports.put({ ...report, next_run_at });
      const { organization_id } = report;
      report_turns.put({ id: report_id, organization_id, due_at: next_run_at, changed_position: Number(position) });
    },
    ReportCompleted: (event, models) => {
      const { artifact_id, size, summary, completed_at } = event.data;
      const report = ended(event, models, { status: 'completed', artifact_id, size, summary, completed_at });
      if (!report || report.recipients.length === 0) return;
      const { id, organization_id } = report;
      models.report_notices.put({
        id,
        organization_id,
        cause: { kind: REPORT_CAUSE, id },
        priority: 'page',
        series: null,
        caused_at: completed_at,
        changed_position: Number(event.position),
      });
    },
    ReportFailed: (event, models) => {
      ended(event, models, { status: 'failed', error_message: event.data.error_message });
    },
    ReportDeleted: ({ data: { report_id: id }, metadata, position }, models) => {
      models.reports.delete(id);
      models.report_makings.delete(id);
      models.report_turns.delete(id);
      models.report_notices.delete(id);
      const organization_id = metadata.organization_id ?? '';
      models.deleted_reports.put({ id, organization_id, changed_position: Number(position) });
    },
  },
});
