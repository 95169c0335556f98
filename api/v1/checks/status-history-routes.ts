import { Type } from '@sinclair/typebox';
import { statusBuckets } from '../../../queries/check-results/status-buckets.ts';
import { listStatuses } from '../../../queries/checks/status-history.ts';
import { requireDateOrder } from '../../time-order.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { createPresenter } from '../../presenter.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, Id, InstantOut, instantIn, namedSchema, nullable } from '../../schema.ts';
import { StatusBucket } from '../results/statistics-schema.ts';
import { resultFilters } from '../results/filters.ts';
import { CheckParams, findCheckInPath } from './params.ts';

const tag = 'Checks';

const CheckStatus = namedSchema(
  'CheckStatus',
  Type.Object({ status: choice(['up', 'down']), started_at: InstantOut, ended_at: nullable(InstantOut) }),
);
const list = pagesOfStyleA({ key: 'status_history', size: 20, newestBy: 'started_at' });
const presentStatus = createPresenter(CheckStatus);

const BucketsQuery = Type.Object({
  start_date: resultFilters.start_date,
  end_date: resultFilters.end_date,
  region: resultFilters.region,
  check_id: Type.Optional(Id),
});

const StatusBuckets = Type.Object({ bucket_seconds: Type.Integer(), status_history: Type.Array(StatusBucket) });

export const statusHistoryRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/{check_id}/status-history',
    summary: 'Get the status history of a check',
    description: 'The list contains the periods in which the check was up or down, newest first.',
    tag,
    access: { needs: 'checks.read' },
    params: CheckParams,
    query: Type.Object({
      ...list.query,
      start_date: Type.Optional(instantIn()),
      end_date: Type.Optional(instantIn({ end: true })),
    }),
    responses: { 200: list.answer(CheckStatus) },
    heavy: true,
    requireQuery: requireDateOrder,
    find: findCheckInPath,
    handle: ({ query, scope, found: check }) =>
      ok(() => list.body(query, (paging) => listStatuses(scope, check, query, paging), presentStatus)),
  }),
  route({
    methods: ['get'],
    path: '/v1/checks/status-history',
    summary: 'Get the status history of all checks',
    description:
      'Counts results by time and region, in buckets of whole hours. Without a time range, it covers the last seven days.',
    tag,
    access: { needs: 'checks.read' },
    query: BucketsQuery,
    responses: { 200: StatusBuckets },
    requireQuery: requireDateOrder,
    handle: ({ query, scope }) => ok(() => statusBuckets(scope, query)),
  }),
];
