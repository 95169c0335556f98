import { Type } from '@sinclair/typebox';
import { isRangeDate, RANGE_DATE_SENTENCE } from '../../../domain/uptime/range.ts';
import { withCheck, DayOut, Id, namedSchema } from '../../schema.ts';

const date = (description: string) =>
  Type.Optional(withCheck(Type.String({ examples: ['2026-11'], description }), isRangeDate, RANGE_DATE_SENTENCE));

/** See docs/reference/uptime.md#range. */
export const UptimeQuery = Type.Object({
  start: date('A date. A month YYYY-MM or a year YYYY means its first day. Default: 90 days before today.'),
  end: date('A date. A month YYYY-MM or a year YYYY means its last day. Default: today.'),
});

/** Maximum number of components per request. The uptime of each component is a separate computation. */
const MAX_ASKED = 1_000;

export const UptimeBody = Type.Object({ component_ids: Type.Array(Id, { minItems: 1, maxItems: MAX_ASKED }) });

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
  }),
);
