import { Type } from '@sinclair/typebox';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { EXCLUSION_RULES } from '../../../domain/uptime/exclusion-rules.ts';
import { isRangeDate, RANGE_DATE_SENTENCE } from '../../../domain/uptime/range.ts';
import { choice, DayOut, Id, InstantOut, namedSchema, nullable, withCheck } from '../../schema.ts';

const date = (description: string) =>
  Type.Optional(withCheck(Type.String({ examples: ['2026-11'], description }), isRangeDate, RANGE_DATE_SENTENCE));

/** See docs/reference/uptime.md#range. */
export const UptimeQuery = Type.Object({
  start: date('A date. A month YYYY-MM or a year YYYY means its first day. Default: 90 days before today.'),
  end: date('A date. A month YYYY-MM or a year YYYY means its last day. Default: today.'),
  explain: Type.Optional(
    Type.Boolean({ description: 'Whether to include the intervals that the figures are computed from.' }),
  ),
});

/** Maximum number of components per request. The uptime of each component is a separate computation. */
const MAX_ASKED = 1_000;

export const UptimeBody = Type.Object({ component_ids: Type.Array(Id, { minItems: 1, maxItems: MAX_ASKED }) });

const IntervalSource = namedSchema(
  'UptimeIntervalSource',
  Type.Object({
    kind: choice(['incident', 'edit', 'creation', 'alert'], { description: 'What set the status.' }),
    at: { ...InstantOut, description: 'When it took effect.' },
    incident_id: nullable(Id),
    incident_update_id: nullable({ ...Id, description: 'Null if the status changed without an update.' }),
    alert_id: nullable({ ...Id, description: 'The alert that holds the component.' }),
  }),
);

/** See docs/reference/uptime.md#intervals. */
const UptimeInterval = namedSchema(
  'UptimeInterval',
  Type.Object({
    component_id: { ...Id, description: 'In the statistics of a group: which of its components.' },
    from: InstantOut,
    to: { ...InstantOut, description: 'Exclusive.' },
    status: nullable(choice(COMPONENT_STATUSES, { description: 'Null where the component did not exist yet.' })),
    source: nullable(IntervalSource),
    excluded: nullable(
      Type.Object(
        {
          rule: choice(EXCLUSION_RULES, { description: 'The rule that excludes the interval.' }),
          source: nullable(IntervalSource),
        },
        { description: 'Null: the interval is measured.' },
      ),
    ),
  }),
);

/** See docs/reference/uptime.md#fields. */
export const UptimeStatistics = namedSchema(
  'UptimeStatistics',
  Type.Object({
    id: Id,
    name: Type.String(),
    range_start: DayOut,
    range_end: DayOut,
    uptime_percentage: Type.Number({ minimum: 0, maximum: 100 }),
    major_outage: Type.Integer({ minimum: 0, description: 'In seconds.' }),
    partial_outage: Type.Integer({ minimum: 0, description: 'In seconds.' }),
    warnings: Type.Array(Type.String(), { description: 'What the figures do not include.' }),
    related_events: Type.Object({ id: Type.Array(Id, { description: 'Incidents that affected the component.' }) }),
    intervals: Type.Optional(
      Type.Array(UptimeInterval, {
        description: 'With `explain`: what the figures are computed from, in order of time.',
      }),
    ),
    truncated: Type.Optional(Type.Boolean({ description: 'With `explain`: whether older intervals were left out.' })),
  }),
);
