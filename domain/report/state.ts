import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../lifecycle.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { ReportEvent, ReportFields } from './events.ts';

/** A report that was asked for, and what its schedule has made of it so far. */
interface Asked {
  id: string;
  organization_id: string;
  report: ReportFields;
  recipients: Sealed[];
  scheduled_by: string | null;
  /** when its schedule makes the next one; null without one */
  next_run_at: Instant | null;
  /** the end of the last period that its schedule has asked for; the one of its own at first */
  reported_to: Instant;
}

/** A report: it waits to be made, there is a file, or there will be none. */
export type Report =
  | { status: 'absent' }
  | (Asked & { status: 'queued' })
  | (Asked & { status: 'completed'; artifact_id: string })
  | (Asked & { status: 'failed' })
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

/** Name of the key that the recipients of a report are sealed under, and those of the reports that it schedules. */
export const reportKey = (id: string): string => `report-${id}`;

/** The field that recipients are bound to. */
export const RECIPIENTS = 'recipients';

/** The file of a report; one that was made again has the same. */
export const artifactOf = (id: string): string => `report-${id}`;
