import { Type, type Static } from '@sinclair/typebox';
import type { Instant } from '../../../domain/time.ts';
import { checkStatusHistory } from '../../../projections/check-status-history/projection.ts';
import { hourOf, NO_OUTCOMES, outcomesOf, type Outcomes } from '../../../projections/check-results/hours.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import type { Where } from '../../../stores/read-store/port.ts';
import { listing } from '../../../queries/listing.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { presenting } from '../../present.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, Id, InstantOut, instantIn, named, nullable } from '../../schema.ts';
import { grouped, inOrder } from '../../../queries/check-figures.ts';
import { StatusBucket } from '../results/figures-schema.ts';
import { deletedChecks } from '../../../queries/deleted-checks.ts';
import { CheckParams, findCheck, isShown } from './find-check.ts';
import { bucketsBetween } from '../../../queries/result-buckets.ts';
import { resultFilters } from '../results/filters.ts';
import { datesInOrder, later, regionId, windowOf } from '../../../queries/result-filters.ts';

const tag = 'Checks';

const CheckStatus = named(
  'CheckStatus',
  Type.Object({ status: choice(['up', 'down']), started_at: InstantOut, ended_at: nullable(InstantOut) }),
);
const list = pagesOfStyleA({ key: 'status_history', size: 20 });
const shown = presenting(CheckStatus);

/** What has a part in common with a time. */
const during = (from: Instant | undefined, to: Instant | undefined): Where => ({
  ...(to !== undefined && { started_at: { $lte: to } }),
  ...(from !== undefined && { $or: [{ ended_at: null }, { ended_at: { $gte: from } }] }),
});

const BucketsQuery = Type.Object({
  start_date: resultFilters.start_date,
  end_date: resultFilters.end_date,
  region: resultFilters.region,
  check_id: Type.Optional(Id),
});

const StatusBuckets = Type.Object({ bucket_seconds: Type.Integer(), status_history: Type.Array(StatusBucket) });

/** Results of one hour and region, or what is to be taken off them. */
interface Counted extends Outcomes {
  hour: Instant;
  region: string;
}

interface Asking {
  organizationId: string;
  read: Read;
  resultsFrom: () => Instant;
}

const NOTHING: Where = { id: { $in: [] } };

/** Results by hour and region: of one check, or of all of an organization without those that were deleted. */
const counted = async (checkId: string | undefined, where: Where, asking: Asking): Promise<Counted[]> => {
  const { organizationId, read, resultsFrom } = asking;
  const { check_hours, organization_hours } = read(checkResults);
  const ofChecks = async (which: Where, sign: 1 | -1): Promise<Counted[]> =>
    (await check_hours.find({ where: { ...where, ...which } })).map(({ hour, region, tallies }) => {
      const { ok, down, failed } = outcomesOf(tallies);
      return { hour, region, ok: sign * ok, down: sign * down, failed: sign * failed };
    });
  if (checkId !== undefined) {
    return ofChecks((await isShown(checkId, organizationId, read)) ? { check_id: checkId } : NOTHING, 1);
  }
  const deleted = await deletedChecks(organizationId, resultsFrom(), read);
  return [
    ...(await organization_hours.find({ where: { ...where, organization_id: organizationId } })),
    ...(deleted.length === 0 ? [] : await ofChecks({ check_id: { $in: deleted } }, -1)),
  ];
};

const sum = (all: readonly Outcomes[]): Outcomes =>
  all.reduce(
    (before, { ok, down, failed }) => ({
      ok: before.ok + ok,
      down: before.down + down,
      failed: before.failed + failed,
    }),
    NO_OUTCOMES,
  );

const statusBuckets = async (
  query: Static<typeof BucketsQuery>,
  { now, ...asking }: Asking & { now: Instant },
): Promise<Static<typeof StatusBuckets>> => {
  const { from, to = now } = windowOf(query, now, asking.resultsFrom());
  const hours = await counted(
    query.check_id,
    {
      hour: { $gte: hourOf(from), $lte: to },
      ...(query.region !== undefined && { region: regionId(query.region) }),
    },
    asking,
  );
  const { seconds, startOf } = bucketsBetween(from, to < now && to > from ? to : later(now, from));
  const groups = inOrder(grouped(hours, ({ hour, region }) => `${startOf(hour)} ${region}`));
  return {
    bucket_seconds: seconds,
    status_history: groups
      .map(([, group]) => {
        const [{ hour, region } = { hour: from, region: '' }] = group;
        return { timestamp: startOf(hour), region, ...sum(group) };
      })
      .filter(({ ok, down, failed }) => ok + down + failed > 0),
  };
};

export const statusHistoryRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/{check_id}/status-history',
    summary: 'When a check was up and down, newest first',
    tag,
    access: { needs: 'checks.read' },
    params: CheckParams,
    query: Type.Object({
      ...list.query,
      start_date: Type.Optional(instantIn()),
      end_date: Type.Optional(instantIn({ end: true })),
    }),
    answers: { 200: list.answer(CheckStatus) },
    requireQuery: datesInOrder,
    find: findCheck,
    handle: ({ params: { check_id }, query, read }) => {
      const where = { check_id, ...during(query.start_date, query.end_date) };
      const { check_statuses } = read(checkStatusHistory);
      return ok(() =>
        list.body(
          query,
          (paging) => listing(check_statuses, { where, sort: { started_at: -1 } }, paging),
          (one) => shown(one),
        ),
      );
    },
  }),
  route({
    methods: ['get'],
    path: '/v1/checks/status-history',
    summary:
      'The results of all checks counted by time and region, in whole hours; of the last seven days unless a time is named',
    tag,
    access: { needs: 'checks.read' },
    query: BucketsQuery,
    answers: { 200: StatusBuckets },
    requireQuery: datesInOrder,
    handle: ({ query, context: { organizationId, now }, read, resultsFrom }) =>
      ok(() => statusBuckets(query, { organizationId, now, read, resultsFrom })),
  }),
];
