import { Type, type Static } from '@sinclair/typebox';
import { mailAddressOf } from '../../../domain/mail/address.ts';
import { REPORT_DEFAULTS } from '../../../domain/report/decide.ts';
import { REPORT_FORMATS, REPORT_TYPES, ReportSummary, SCHEDULES } from '../../../domain/report/events.ts';
import { isTime } from '../../../domain/report/period.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import { percentile } from '../results/statistics-schema.ts';
import { withCheck, choice, withDefaults, Id, InstantOut, namedSchema, nullable, Tag, text } from '../../schema.ts';

/** Maximum number of checks in a report. */
export const MAX_REPORT_CHECKS = 1_000;
const MOST_RECIPIENTS = 20;

const time = (description: string) =>
  withCheck(
    text(40, { description }),
    isTime,
    'Must be an ISO 8601 time such as 2026-11-20T15:04:05Z, or a date such as 2026-11-20.',
  );

/** The fields of a report that a client can set. */
const fields = {
  name: text(200, { min: 1 }),
  report_type: choice(REPORT_TYPES),
  format: choice(REPORT_FORMATS),
  check_ids: Type.Array(Id, {
    maxItems: MAX_REPORT_CHECKS,
    uniqueItems: true,
    description:
      'The checks of the report. If empty: the checks with the tag; without a tag, the checks of the components of the ' +
      'page; without a page, all checks at the time when the report is generated.',
  }),
  tag: nullable({
    ...Tag,
    description: 'Instead of `check_ids`: all checks that have this tag when the report is generated.',
  }),
  page_id: nullable(Id),
  schedule: nullable(choice(SCHEDULES, { description: 'Generates a new report after the end of each week or month.' })),
  time_zone: withCheck(
    text(100, { description: 'The IANA time zone of its days.' }),
    isTimeZone,
    'Must be an IANA time zone, such as Europe/Moscow.',
  ),
  target_percentage: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'The target of uptime.' })),
  recipients: Type.Array(
    withCheck(text(254), (address) => mailAddressOf(address) !== null, 'Must be an e-mail address.'),
    {
      maxItems: MOST_RECIPIENTS,
      uniqueItems: true,
      description:
        'E-mail addresses that the finished report is sent to. Callers who may not change the report see them masked.',
    },
  ),
};

const { report_type, name, ...others } = fields;

export const NewReport = Type.Object({
  name,
  report_type,
  ...withDefaults(others, REPORT_DEFAULTS),
  period_start: Type.Optional(time('Required without a schedule. A date means its first instant in the time zone.')),
  period_end: Type.Optional(time('Required without a schedule. A date means its last instant in the time zone.')),
});
export type NewReport = Static<typeof NewReport>;

/** The summary in the form stored in events, with descriptions for the API. */
const Summary = Type.Object({
  ...ReportSummary.properties,
  downtime: Type.Integer({
    minimum: 0,
    description:
      'Seconds of the period in which any of the checks was down or a regular incident was open. Overlaps count once.',
  }),
  p50: nullable(percentile(50)),
  p95: nullable(percentile(95)),
  p99: nullable(percentile(99)),
});

export const Report = namedSchema(
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
      Type.String({
        description: 'A link that works without a key for at least 15 minutes. Null while there is no file.',
      }),
    ),
    scheduled_by: nullable(Type.String({ description: 'The report whose schedule generated this one.' })),
    next_run_at: nullable(InstantOut),
    created_by: nullable(Type.String()),
    created_at: InstantOut,
    completed_at: nullable(InstantOut),
  }),
);
export type Report = Static<typeof Report>;
