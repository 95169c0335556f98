import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { ReportEvent, ReportFields } from './events.ts';

/** A report that was requested, and the progress of its schedule if it is a template. */
interface RequestedReport {
  id: string;
  organization_id: string;
  report: ReportFields;
  recipients: Sealed[];
  scheduled_by: string | null;
  /** when the schedule requests the next report; null without a schedule */
  next_run_at: Instant | null;
  /** the end of the newest period that the schedule has requested; initially, the end of the report's own period */
  reported_to: Instant;
}

/** The state of a report. A completed report has a file. */
export type Report =
  | { status: 'absent' }
  | (RequestedReport & { status: 'queued' })
  | (RequestedReport & { status: 'completed'; artifact_id: string })
  | (RequestedReport & { status: 'failed' })
  | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<Report>('report');

const evolve = (state: Report, event: ReportEvent): Report => {
  switch (event.type) {
    case 'ReportRequested': {
      const { report_id: id, organization_id, report, recipients, scheduled_by, next_run_at } = event.data;
      const reported_to = report.period_end;
      return {
        status: 'queued',
        id,
        organization_id,
        report,
        recipients,
        scheduled_by,
        next_run_at,
        reported_to,
      };
    }
    case 'ReportRepeated': {
      const { next_run_at, period_end: reported_to } = event.data;
      return onExisting(state, (report) => ({ ...report, next_run_at, reported_to }));
    }
    case 'ReportCompleted':
      return onExisting(state, (report) => ({
        ...report,
        status: 'completed',
        artifact_id: event.data.artifact_id,
      }));
    case 'ReportFailed':
      return onExisting(state, (report) => ({ ...report, status: 'failed' }));
    case 'ReportDeleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
};

export const reportDecider: Decider<Report, ReportEvent> = {
  category: 'report',
  initialState: { status: 'absent' },
  evolve,
};

/** Returns the name of the key that seals the recipients of a report, and of the reports that its schedule requests. */
export const reportKey = (id: string): string => `report-${id}`;

/** The field name that sealed recipients are bound to. */
export const RECIPIENTS = 'recipients';

/** Returns the id of a report's file. A report that is generated again has a file with the same id. */
export const artifactOf = (id: string): string => `report-${id}`;
