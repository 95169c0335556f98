import { Type, type Static } from '@sinclair/typebox';
import type { Instant } from '../../../domain/time.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { ok, route, type Call, type Route } from '../../route.ts';
import { Id, InstantOut, instantIn } from '../../schema.ts';
import { uptimeOf } from '../../../queries/check-figures.ts';
import { RegionalResponseTimes, UptimeHour, UptimeSummary } from '../results/figures-schema.ts';
import { hoursBetween } from '../../../queries/check-hours.ts';
import { CheckParams, findCheck } from './find-check.ts';
import { responseTimesBetween } from '../../../queries/check-response-times.ts';
import { MAX_BUCKETS } from '../../../queries/result-buckets.ts';
import { resultFilters } from '../results/filters.ts';
import {
  DAY,
  datesInOrder,
  earlier,
  inOrderOfTime,
  later,
  type ResultFilters,
} from '../../../queries/result-filters.ts';

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

/** The first hour in which the check has a result; null without one. */
const firstHour = async (checkId: string, read: Read): Promise<Instant | null> => {
  const [first] = await read(checkResults).check_hours.find({
    where: { check_id: checkId },
    sort: { hour: 1 },
    limit: 1,
  });
  return first?.hour ?? null;
};

type Asking = Pick<
  Call<Static<typeof CheckParams>, ResultFilters, unknown>,
  'params' | 'query' | 'context' | 'read' | 'resultsFrom'
>;

/** Response times by bucket and region, from the first result on where no start is named. */
const responseTimes = async ({ params: { check_id }, query, context: { now }, read, resultsFrom }: Asking) => {
  const { start_date, end_date } = query;
  const to = end_date === undefined || end_date > now ? now : end_date;
  const from = later(start_date ?? (await firstHour(check_id, read)) ?? to, resultsFrom());
  return { check_id, ...(await responseTimesBetween(read, { check_id, from, to, now, filters: query })) };
};

export const checkUptimeRoutes: Route[] = [
  route({
    methods: ['get'],
    path: `${byId}/uptime`,
    summary: 'How often the runs of a check were ok, by hour; of the last 24 hours unless a time is named',
    tag,
    access: { needs: 'checks.read' },
    params: CheckParams,
    query: Type.Object({
      start_time: Type.Optional(instantIn()),
      end_time: Type.Optional(instantIn({ end: true })),
    }),
    answers: { 200: Uptime },
    requireQuery: ({ start_time: from = '', end_time: to }, now) => {
      inOrderOfTime(from, to ?? now, 'end_time');
    },
    find: findCheck,
    handle: ({ params: { check_id }, query, context: { now }, read, resultsFrom }) => {
      const to = query.end_time ?? now;
      const from = later(query.start_time ?? earlier(to, DAY), resultsFrom());
      return ok(async () => ({
        check_id,
        start_time: from,
        end_time: to,
        ...uptimeOf(await hoursBetween(read, { check_id, from, to, now })),
      }));
    },
  }),
  route({
    methods: ['get'],
    path: `${byId}/response-times`,
    summary: `The response times of a check by time and region, in at most ${MAX_BUCKETS.toString()} buckets a region: of five minutes for a time of a day or less, of whole hours for a longer one`,
    tag,
    access: { needs: 'checks.read' },
    params: CheckParams,
    query: Type.Object(resultFilters),
    answers: { 200: ResponseTimes },
    find: findCheck,
    requireQuery: datesInOrder,
    handle: (call) => ok(() => responseTimes(call)),
  }),
];
