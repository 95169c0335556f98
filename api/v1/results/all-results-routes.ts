import { Type } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { listAllResults } from '../../../queries/check-results/all-results.ts';
import { requireDateOrder } from '../../time-order.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, commaList, Id } from '../../schema.ts';
import { resultFilters } from './filters.ts';
import { createFileLinks, presentResultWithCheck } from './present.ts';
import { ResultWithCheck } from './schema.ts';

const list = pagesOfStyleA({ key: 'results', size: 20, newestBy: 'created_at' });

const query = Type.Object({
  ...list.query,
  ...resultFilters,
  result_id: Type.Optional({
    ...Id,
    description: 'Only this result, regardless of its age. Other filters are ignored.',
  }),
  check_id: Type.Optional(Id),
  check_type: Type.Optional(commaList(choice(CHECK_TYPE_NAMES))),
  result_type: Type.Optional(commaList(choice(['regular', 'on_demand']))),
  execution_group_id: Type.Optional(Id),
  is_multi_region: Type.Optional(Type.Boolean({ description: 'Whether the run covered several regions.' })),
  has_alerts: Type.Optional(Type.Boolean()),
});
export const allResultsRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/all-results',
    summary: 'List results of all checks',
    description: 'The list is sorted newest first. Without a time range, it covers the last seven days.',
    tag: 'Checks',
    access: { needs: 'results.read' },
    confidential: true,
    query,
    responses: { 200: list.answer(ResultWithCheck) },
    heavy: true,
    requireQuery: (filters) => {
      // With `result_id`, other filters are ignored.
      if (filters.result_id === undefined) requireDateOrder(filters);
    },
    handle: (call) => {
      const { query: filters, scope } = call;
      const revealing = { reveal: call.may('secrets.reveal') };
      const linkTo = createFileLinks(call);
      return ok(() =>
        list.body(
          filters,
          (paging) => listAllResults(scope, filters, paging, revealing),
          (result) => presentResultWithCheck(result, linkTo),
        ),
      );
    },
  }),
];
