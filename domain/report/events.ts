import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const choice = <const T extends readonly string[]>(values: T) =>
  Type.Union(values.map((value) => Type.Literal(value as T[number])));

/** What a report is about (decisions.md: The families named without a shape). */
export const REPORT_TYPES = ['uptime', 'response_time', 'incidents'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const REPORT_FORMATS = ['json', 'csv', 'pdf'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** How often a report is made anew, each time about the week or the month that has ended. */
export const SCHEDULES = ['weekly', 'monthly'] as const;
export type Schedule = (typeof SCHEDULES)[number];

/** What a report is to be about. */
export const ReportFields = Type.Object({
  name: Type.String(),
  report_type: choice(REPORT_TYPES),
  format: choice(REPORT_FORMATS),
  /** empty: those with the tag, those that the page shows, or all of the organization when the report is made */
  check_ids: Type.Array(Type.String()),
  /** all checks that have it when the report is made; null where there are `check_ids` */
  tag: nullable(Type.String()),
  page_id: nullable(Type.String()),
  period_start: InstantSchema,
  /** the last instant that belongs to it */
  period_end: InstantSchema,
  /** null: it is made once */
  schedule: nullable(choice(SCHEDULES)),
  /** IANA zone of its days, and of the times in it */
  time_zone: Type.String(),
  /** of uptime; null: none */
  target_percentage: nullable(Type.Number()),
});
export type ReportFields = Static<typeof ReportFields>;

/** The figures of a report as a whole; null where there is nothing to compute it from. */
export const ReportSummary = Type.Object({
  /** how many checks, components of a page and incidents it is about */
  checks: Type.Integer({ minimum: 0 }),
  components: Type.Integer({ minimum: 0 }),
  incidents: Type.Integer({ minimum: 0 }),
  outages: Type.Integer({ minimum: 0 }),
  /** seconds of the period in which a check was down, or an incident was open; what overlaps counts once */
  downtime: Type.Integer({ minimum: 0 }),
  /** the mean of its checks (of the components where there are no checks), two decimals */
  uptime_percentage: nullable(Type.Number()),
  /** response times, whole milliseconds */
  average_response_time: nullable(Type.Integer()),
  p50: nullable(Type.Integer()),
  p95: nullable(Type.Integer()),
  p99: nullable(Type.Integer()),
  target_percentage: nullable(Type.Number()),
  /** how many checks and components are below the target; null without one */
  below_target: nullable(Type.Integer({ minimum: 0 })),
});
export type ReportSummary = Static<typeof ReportSummary>;

const ids = { report_id: Type.String() };

/** A report, and the schedule that it may be the template of, in `report-{report_id}`. */
export const reportEvents = {
  ReportRequested: {
    version: 2,
    data: Type.Object({
      ...ids,
      organization_id: Type.String(),
      requested_at: InstantSchema,
      report: ReportFields,
      /** e-mail addresses, field `recipients`, sealed under the key of the report or of its template */
      recipients: Type.Array(Sealed),
      /** the user or the API key that asked for it; null for one that a schedule made */
      created_by: nullable(Type.String()),
      /** the template whose schedule made it; null for others */
      scheduled_by: nullable(Type.String()),
      /** when its schedule makes the next one; null without one */
      next_run_at: nullable(InstantSchema),
    }),
  },
  /** The schedule of a template has asked for a report. */
  ReportRepeated: {
    version: 1,
    data: Type.Object({
      ...ids,
      /** the report that was asked for */
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
      /** bytes of its file */
      size: Type.Integer({ minimum: 0 }),
      summary: ReportSummary,
    }),
  },
  /** It can't be made, and is not tried again. */
  ReportFailed: {
    version: 1,
    data: Type.Object({ ...ids, failed_at: InstantSchema, error_message: Type.String() }),
  },
  /** With its file; a template's schedule ends. */
  ReportDeleted: { version: 1, data: Type.Object({ ...ids, deleted_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type ReportEvent = EventsOf<typeof reportEvents>;
