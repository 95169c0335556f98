import { Type, type Static } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import type { Instant } from '../../../domain/time.ts';
import type { CheckResultDocument } from '../../../projections/check-results/documents.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import type { Where } from '../../../stores/read-store/port.ts';
import { listing } from '../../../queries/listing.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, Id } from '../../schema.ts';
import { deletedChecks } from '../../../queries/deleted-checks.ts';
import { isShown } from '../checks/find-check.ts';
import { resultFilters } from './filters.ts';
import { datesInOrder, filtered, windowOf, within } from '../../../queries/result-filters.ts';
import { presentingResultsOfAll, ResultOfAll } from './shown.ts';

const list = pagesOfStyleA({ key: 'results', size: 20 });

const query = Type.Object({
  ...list.query,
  ...resultFilters,
  result_id: Type.Optional({
    ...Id,
    description: 'only this result, whatever its age; other filters count for nothing',
  }),
  check_id: Type.Optional(Id),
  check_type: Type.Optional(choice(CHECK_TYPE_NAMES)),
  result_type: Type.Optional(choice(['regular', 'on_demand'])),
  execution_group_id: Type.Optional(Id),
  is_multi_region: Type.Optional(Type.Boolean({ description: 'whether the run was one of several regions at once' })),
  has_alerts: Type.Optional(Type.Boolean()),
});
type Filters = Static<typeof query>;

const NOTHING: Where = { id: { $in: [] } };

interface Asking {
  organizationId: string;
  now: Instant;
  read: Read;
  resultsFrom: () => Instant;
}

/** Results of the caller's checks that were not deleted, and of runs of definitions that are not stored. */
const selected = async (asked: Filters, { organizationId, now, read, resultsFrom }: Asking): Promise<Where> => {
  const { check_id, check_type, result_type, execution_group_id, is_multi_region, has_alerts } = asked;
  const kept = resultsFrom();
  // Until there are alerts no result has one.
  if (has_alerts === true) return NOTHING;
  if (check_id !== undefined && !(await isShown(check_id, organizationId, read))) return NOTHING;
  const hidden = check_id === undefined ? await deletedChecks(organizationId, kept, read) : [];
  const { from, to } = windowOf(asked, now, kept);
  return {
    organization_id: organizationId,
    ...within(from, to),
    ...filtered(asked),
    ...(check_id !== undefined && { check_id }),
    ...(hidden.length > 0 && { check_id: { $nin: hidden } }),
    ...(check_type !== undefined && { check_type }),
    ...(result_type !== undefined && { result_type: result_type === 'regular' ? null : result_type }),
    ...(execution_group_id !== undefined && { execution_group_id }),
    ...(is_multi_region !== undefined && {
      $or: [{ execution_group_id: is_multi_region ? { $ne: null } : null }],
    }),
  };
};

/** One result as a list of it, or of nothing. */
const only = async (resultId: string, { organizationId, read }: Asking): Promise<CheckResultDocument[]> => {
  const result = await read(checkResults).check_results.get(resultId);
  if (result?.organization_id !== organizationId) return [];
  return result.check_id === null || (await isShown(result.check_id, organizationId, read)) ? [result] : [];
};

export const allResultsRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/all-results',
    summary: 'The results of all checks, newest first; of the last seven days unless a time is named',
    tag: 'Checks',
    access: { needs: 'results.read' },
    confidential: true,
    query,
    answers: { 200: list.answer(ResultOfAll) },
    requireQuery: (asked) => {
      // With `result_id` other filters count for nothing.
      if (asked.result_id === undefined) datesInOrder(asked);
    },
    handle: ({ query: asked, context, read, may, resultsFrom }) => {
      return ok(async () => {
        const asking = { organizationId: context.organizationId, now: context.now, read, resultsFrom };
        const present = presentingResultsOfAll({ read, may });
        if (asked.result_id !== undefined) {
          const found = await only(asked.result_id, asking);
          return list.body(
            asked,
            async ({ page }) => ({ items: page === 1 ? found : [], total: found.length }),
            present,
          );
        }
        const where = await selected(asked, asking);
        return list.body(
          asked,
          (paging) => listing(read(checkResults).check_results, { where, sort: { created_at: -1 } }, paging),
          present,
        );
      });
    },
  }),
];
