import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const choice = <const T extends readonly string[]>(values: T) =>
  Type.Union(values.map((value) => Type.Literal(value as T[number])));

/** The types of reports (docs/reference/reports.md#report-fields). */
export const REPORT_TYPES = ['uptime', 'response_time', 'incidents'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const REPORT_FORMATS = ['json', 'csv', 'pdf'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The schedules of reports. A scheduled report is about the most recent complete week or month. */
export const SCHEDULES = ['weekly', 'monthly'] as const;
export type Schedule = (typeof SCHEDULES)[number];

/** The fields of a report. */
export const ReportFields = Type.Object({
  name: Type.String(),
  report_type: choice(REPORT_TYPES),
  format: choice(REPORT_FORMATS),
  /**
   * Ids of the checks in the report. If empty, the checks are determined when the report is generated: all checks with
   * `tag`; if `tag` is null, all checks of the page; if `page_id` is null too, all checks of the organization.
   */
  check_ids: Type.Array(Type.String()),
  /** the report includes all checks that have this tag when it is generated; null if `check_ids` are set */
  tag: nullable(Type.String()),
  page_id: nullable(Type.String()),
  period_start: InstantSchema,
  /** the last instant of the period, inclusive */
  period_end: InstantSchema,
  /** null: the report is generated once */
  schedule: nullable(choice(SCHEDULES)),
  /** IANA time zone of the days and times in the report */
  time_zone: Type.String(),
  /** uptime target in percent; null: no target */
  target_percentage: nullable(Type.Number()),
});
export type ReportFields = Static<typeof ReportFields>;

/** The overall figures of a report. A figure without data is null. */
export const ReportSummary = Type.Object({
  /** number of checks in the report */
  checks: Type.Integer({ minimum: 0 }),
  components: Type.Integer({ minimum: 0 }),
  incidents: Type.Integer({ minimum: 0 }),
  outages: Type.Integer({ minimum: 0 }),
  /** seconds of the period in which a check was down or an incident was open; overlapping downtimes count once */
  downtime: Type.Integer({ minimum: 0 }),
  /** mean uptime of the report's checks, or of its components if there are no checks, with two decimals */
  uptime_percentage: nullable(Type.Number()),
  /** response times, whole milliseconds */
  average_response_time: nullable(Type.Integer()),
  p50: nullable(Type.Integer()),
  p95: nullable(Type.Integer()),
  p99: nullable(Type.Integer()),
  target_percentage: nullable(Type.Number()),
  /** number of checks and components below the target; null without a target */
  below_target: nullable(Type.Integer({ minimum: 0 })),
});
export type ReportSummary = Static<typeof ReportSummary>;

const ids = { report_id: Type.String() };

/** Events of a report, in `report-{report_id}`. A report with a schedule is also the template of further reports. */
export const reportEvents = {
  ReportRequested: {
    version: 2,
    data: Type.Object({
      ...ids,
      organization_id: Type.String(),
      requested_at: InstantSchema,
      report: ReportFields,
      /** e-mail addresses, sealed for the field `recipients` under the key of the report or of its template */
      recipients: Type.Array(Sealed),
      /** the user or API key that requested the report; null for a scheduled report */
      created_by: nullable(Type.String()),
      /** id of the template of a scheduled report; null for other reports */
      scheduled_by: nullable(Type.String()),
      /** when the schedule requests the next report; null without a schedule */
      next_run_at: nullable(InstantSchema),
    }),
  },
  /** A report was requested by the schedule of its template. */
  ReportRepeated: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** id of the requested report */
      run_id: Type.String(),
      repeated_at: InstantSchema,
      period_start: InstantSchema,
      period_end: InstantSchema,
      next_run_at: InstantSchema,
    }),
  },
  ReportCompleted: {
    version: 1,
    data: Type.Object({
      ...ids,
      completed_at: InstantSchema,
      artifact_id: Type.String(),
      /** size of the report's file in bytes */
      size: Type.Integer({ minimum: 0 }),
      summary: ReportSummary,
    }),
  },
  /** The report cannot be generated. The service does not try again. */
  ReportFailed: {
    version: 1,
    data: Type.Object({ ...ids, failed_at: InstantSchema, error_message: Type.String() }),
  },
  /** The report is deleted with its file, and its schedule ends. */
  ReportDeleted: { version: 1, data: Type.Object({ ...ids, deleted_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type ReportEvent = EventsOf<typeof reportEvents>;
