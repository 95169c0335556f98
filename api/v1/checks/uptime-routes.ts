import { Type } from '@sinclair/typebox';
import { MAX_BUCKETS } from '../../../queries/check-results/buckets.ts';
import { responseTimes } from '../../../queries/check-results/response-times.ts';
import { readUptime } from '../../../queries/check-results/uptime.ts';
import { requireDateOrder, requireTimeOrder } from '../../time-order.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id, InstantOut, instantIn } from '../../schema.ts';
import { RegionalResponseTimes, UptimeHour, UptimeSummary } from '../results/statistics-schema.ts';
import { resultFilters } from '../results/filters.ts';
import { CheckParams, findCheckInPath } from './params.ts';

const tag = 'Checks';
const byId = '/v1/checks/{check_id}';

const Uptime = Type.Object({
  check_id: Id,
  start_time: InstantOut,
  end_time: InstantOut,
  uptime_summary: UptimeSummary,
  uptime_data: Type.Array(UptimeHour),
});

const ResponseTimes = Type.Object({
  check_id: Id,
  bucket_seconds: Type.Integer(),
  response_times: Type.Array(RegionalResponseTimes),
});

export const checkUptimeRoutes: Route[] = [
  route({
    methods: ['get'],
    path: `${byId}/uptime`,
    summary: 'Get the uptime of a check',
    description:
      'The share of runs that were ok, in total and by hour. Without a time range, it covers the last 24 hours.',
    tag,
    access: { needs: 'checks.read' },
    params: CheckParams,
    query: Type.Object({
      start_time: Type.Optional(instantIn()),
      end_time: Type.Optional(instantIn({ end: true })),
    }),
    responses: { 200: Uptime },
    requireQuery: ({ start_time: from = '', end_time: to }, now) => {
      requireTimeOrder(from, to ?? now, 'end_time');
    },
    find: findCheckInPath,
    handle: ({ query: { start_time: from, end_time: to }, scope, found: check }) =>
      ok(async () => ({ check_id: check.id, ...(await readUptime(scope, check, { from, to })) })),
  }),
  route({
    methods: ['get'],
    path: `${byId}/response-times`,
    summary: 'Get the response times of a check',
    description: `Grouped by time and region, at most ${MAX_BUCKETS} buckets per region: of five minutes for a range of up to a day, of whole hours for a longer one.`,
    tag,
    access: { needs: 'checks.read' },
    params: CheckParams,
    query: Type.Object(resultFilters),
    responses: { 200: ResponseTimes },
    find: findCheckInPath,
    requireQuery: requireDateOrder,
    handle: ({ query, scope, found: check }) =>
      ok(async () => ({ check_id: check.id, ...(await responseTimes(scope, check, query)) })),
  }),
];
