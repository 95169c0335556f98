import { Type, type Static } from '@sinclair/typebox';
import { mailAddressOf } from '../../../domain/mail/address.ts';
import { REPORT_DEFAULTS } from '../../../domain/report/decide.ts';
import { REPORT_FORMATS, REPORT_TYPES, ReportSummary, SCHEDULES } from '../../../domain/report/events.ts';
import { isTime } from '../../../domain/report/period.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import { percentile } from '../results/figures-schema.ts';
import { checked, choice, defaulting, Id, InstantOut, named, nullable, Tag, text } from '../../schema.ts';

/** The most checks that a report is about. */
export const MOST_CHECKS = 1_000;
const MOST_RECIPIENTS = 20;

const time = (description: string) =>
  checked(
    text(40, { description }),
    isTime,
    'Must be an ISO 8601 time such as 2026-11-20T15:04:05Z, or a date such as 2026-11-20.',
  );

/** The fields of a report that a caller sets. */
const fields = {
  name: text(200, { min: 1 }),
  report_type: choice(REPORT_TYPES),
  format: choice(REPORT_FORMATS),
  check_ids: Type.Array(Id, {
    maxItems: MOST_CHECKS,
    uniqueItems: true,
    description:
      'empty: those with the tag; without one, those that components of the page name; without a page, all checks when the report is made',
  }),
  tag: nullable({ ...Tag, description: 'all checks that have it when the report is made; in place of check_ids' }),
  page_id: nullable(Id),
  schedule: nullable(
    choice(SCHEDULES, { description: 'made anew when each week or month has ended, as a report of its own' }),
  ),
  time_zone: checked(
    text(100, { description: 'IANA time zone of its days' }),
    isTimeZone,
    'Must be an IANA time zone, such as Europe/Moscow.',
  ),
  target_percentage: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'of uptime' })),
  recipients: Type.Array(
    checked(text(254), (address) => mailAddressOf(address) !== null, 'Must be an e-mail address.'),
    {
      maxItems: MOST_RECIPIENTS,
      uniqueItems: true,
      description: 'e-mail addresses that it is sent to when it is made; masked for those who may not change it',
    },
  ),
};

const { report_type, name, ...others } = fields;

export const NewReport = Type.Object({
  name,
  report_type,
  ...defaulting(others, REPORT_DEFAULTS),
  period_start: Type.Optional(time('required without a schedule; a date is its first instant in the time zone')),
  period_end: Type.Optional(time('required without a schedule; a date is its last instant in the time zone')),
});
export type NewReport = Static<typeof NewReport>;

/** What the events keep of a report, described. */
const Summary = Type.Object({
  ...ReportSummary.properties,
  downtime: Type.Integer({
    minimum: 0,
    description:
      'seconds of the period in which any of the checks was down, or a regular incident was open; what overlaps counts once',
  }),
  p50: nullable(percentile(50)),
  p95: nullable(percentile(95)),
  p99: nullable(percentile(99)),
});

export const Report = named(
  'Report',
  Type.Object({
    id: Id,
    ...fields,
    period_start: InstantOut,
    period_end: InstantOut,
    status: choice(['queued', 'completed', 'failed']),
    error_message: nullable(Type.String()),
    summary: nullable(Summary),
    download_url: nullable(
      Type.String({ description: 'works for at least 15 minutes, without a key; null while there is no file' }),
    ),
    scheduled_by: nullable(Type.String({ description: 'the report whose schedule made it' })),
    next_run_at: nullable(InstantOut),
    created_by: nullable(Type.String()),
    created_at: InstantOut,
    completed_at: nullable(InstantOut),
  }),
);
export type Report = Static<typeof Report>;
