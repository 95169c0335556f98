import { Type } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { HOURS_SHOWN } from '../../../queries/overview/statistics.ts';
import { SORT_FIELDS, type Sort } from '../../../queries/overview/order.ts';
import { SHOWN_STATUSES } from '../../../queries/overview/rows.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { choice, commaList, Id, InstantOut, ManagedBy, namedSchema, nullable, tagFilter, text } from '../../schema.ts';

const status = choice(SHOWN_STATUSES);

/** Filters of checks, for the overview and for bulk changes. */
export const overviewFilters = {
  status: Type.Optional(commaList(status, { description: 'Any of these statuses. `counts` ignores this filter.' })),
  type: Type.Optional(commaList(choice(CHECK_TYPE_NAMES))),
  group_id: Type.Optional(text(12, { description: 'The id of a check group, or `ungrouped`.' })),
  tag: Type.Optional(tagFilter),
  q: Type.Optional(text(100, { description: 'Part of the name or target. Case is ignored.' })),
  active: Type.Optional(Type.Boolean({ description: "The check's own `active` field, regardless of its group." })),
};

const sorts = SORT_FIELDS.flatMap((field): Sort[] => [field, `-${field}`]);

export const overviewSort = Type.Optional({
  ...choice(sorts, {
    description:
      'A field, with a leading minus for descending order. `status` sorts by down, pending, up, paused, then by latest ' +
      'change. Checks without a value come last.',
  }),
  default: 'status',
});

const percentage = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 100, description: `${description} Null without results.` }));

/** A row of the overview. */
export const OverviewRow = namedSchema(
  'OverviewRow',
  Type.Object({
    id: Id,
    name: Type.String(),
    type: choice(CHECK_TYPE_NAMES),
    group_id: nullable(Id),
    tags: Type.Array(Type.String()),
    managed_by: ManagedBy,
    active: Type.Boolean(),
    status: choice(SHOWN_STATUSES, { description: '`paused` if the check or its group is inactive.' }),
    since: nullable({ ...InstantOut, description: 'Since when the check has this status. Null while pending.' }),
    error_message: nullable(Type.String({ description: 'Why the check went down. Long messages are truncated.' })),
    response_time: nullable(Type.Integer({ minimum: 0, description: 'Of the newest result, in milliseconds.' })),
    hours: Type.Array(nullable(Type.Integer({ minimum: 0 })), {
      minItems: HOURS_SHOWN,
      maxItems: HOURS_SHOWN,
      description:
        'Mean response time of each hour from `hours_from` on, in milliseconds with two significant digits. Null without ' +
        'measurements.',
    }),
    failed_hours: Type.Array(Type.Integer({ minimum: 0, maximum: HOURS_SHOWN - 1 }), {
      description: 'Indexes in `hours` (from 0) of hours with a result that is not `ok`.',
    }),
    uptime_24h: percentage('Over the period of `hours`.'),
    uptime_30d: percentage('Over 30 UTC days including today.'),
  }),
);

/** Pages are large, so that the console can load its list as one page. */
export const overviewPages = pagesOfStyleA({ key: 'checks', size: 1_000, largest: 5_000 });

const amount = Type.Integer({ minimum: 0 });

export const Overview = Type.Object({
  ...overviewPages.answer(OverviewRow).properties,
  counts: Type.Object(
    { up: amount, down: amount, pending: amount, paused: amount },
    { description: 'Number of checks by status that match all filters except `status`.' },
  ),
  hours_from: { ...InstantOut, description: 'Start of the first of `hours`.' },
});
