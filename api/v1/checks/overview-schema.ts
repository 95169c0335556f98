import { Type } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { HOURS_SHOWN } from '../../../queries/overview/figures.ts';
import { SORT_FIELDS, type Sort } from '../../../queries/overview/order.ts';
import { SHOWN_STATUSES } from '../../../queries/overview/rows.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { choice, commaList, Id, InstantOut, named, nullable, tagFilter, text } from '../../schema.ts';

const status = choice(SHOWN_STATUSES);

/** The query parameters by which checks are found in the overview, and for bulk changes. */
export const overviewFilters = {
  status: Type.Optional(commaList(status, { description: 'any of these; `counts` ignores it' })),
  type: Type.Optional(commaList(choice(CHECK_TYPE_NAMES))),
  group_id: Type.Optional(text(12, { description: 'a check group, or "ungrouped"' })),
  tag: Type.Optional(tagFilter),
  q: Type.Optional(text(100, { description: 'any part of the name or the target, case ignored' })),
  active: Type.Optional(Type.Boolean({ description: "the check's own switch, whatever that of its group says" })),
};

const sorts = SORT_FIELDS.flatMap((field): Sort[] => [field, `-${field}`]);

export const sort = Type.Optional({
  ...choice(sorts, {
    description:
      'a field, with a minus in front of it in descending order; `status`: down, pending, up, paused, of each what changed last first. Checks without a value come last',
  }),
  default: 'status',
});

const percentage = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 100, description: `${description}; null without results` }));

/** A row of the overview. */
export const OverviewRow = named(
  'OverviewRow',
  Type.Object({
    id: Id,
    name: Type.String(),
    type: choice(CHECK_TYPE_NAMES),
    group_id: nullable(Id),
    tags: Type.Array(Type.String()),
    active: Type.Boolean(),
    status: choice(SHOWN_STATUSES, { description: 'paused: it, or its group, is not active' }),
    since: nullable({ ...InstantOut, description: 'since when it has this status; null while pending' }),
    error_message: nullable(Type.String({ description: 'why it went down; its beginning if it is long' })),
    response_time: nullable(Type.Integer({ minimum: 0, description: 'of the newest result, milliseconds' })),
    hours: Type.Array(nullable(Type.Integer({ minimum: 0 })), {
      minItems: HOURS_SHOWN,
      maxItems: HOURS_SHOWN,
      description:
        'mean response time of each hour from `hours_from` on, milliseconds in two significant digits; null: none was measured',
    }),
    failed_hours: Type.Array(Type.Integer({ minimum: 0, maximum: HOURS_SHOWN - 1 }), {
      description: 'places in `hours`, from 0, of the hours with a result that is not ok',
    }),
    uptime_24h: percentage('of the time that `hours` shows'),
    uptime_30d: percentage('of 30 UTC days, today included'),
  }),
);

/** Pages are large: the list of a console is one of them. */
export const overviewPages = pagesOfStyleA({ key: 'checks', size: 1_000, largest: 5_000 });

const amount = Type.Integer({ minimum: 0 });

export const Overview = Type.Object({
  ...overviewPages.answer(OverviewRow).properties,
  counts: Type.Object(
    { up: amount, down: amount, pending: amount, paused: amount },
    { description: 'checks by status that fit all filters but `status`' },
  ),
  hours_from: { ...InstantOut, description: 'when the first of `hours` begins' },
});
