import { Type } from '@sinclair/typebox';
import { listResults, resultOfCheck } from '../../../queries/check-results/results.ts';
import { requireDateOrder } from '../../time-order.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { checkParams, CheckParams, findCheckInPath } from '../checks/params.ts';
import { CheckResult } from '../checks/schema.ts';
import { resultFilters } from './filters.ts';
import { createFileLinks, presentResult } from './present.ts';

const tag = 'Checks';
const byCheck = '/v1/checks/{check_id}/results';
const list = pagesOfStyleA({ key: 'results', size: 20, newestBy: 'created_at' });

export const checkResultRoutes: Route[] = [
  route({
    methods: ['get'],
    path: byCheck,
    summary: 'List results of a check',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'results.read' },
    confidential: true,
    params: CheckParams,
    query: Type.Object({ ...list.query, ...resultFilters }),
    responses: { 200: list.answer(CheckResult) },
    heavy: true,
    requireQuery: requireDateOrder,
    find: findCheckInPath,
    handle: (call) => {
      const { query, scope, found: check } = call;
      const revealing = { reveal: call.may('secrets.reveal') };
      const linkTo = createFileLinks(call);
      return ok(() =>
        list.body(
          query,
          (paging) => listResults(scope, check, query, paging, revealing),
          (result) => presentResult(result, linkTo),
        ),
      );
    },
  }),
  route({
    methods: ['get'],
    path: `${byCheck}/{result_id}`,
    summary: 'Get a result of a check',
    tag,
    access: { needs: 'results.read' },
    confidential: true,
    params: Type.Object({ ...checkParams, result_id: Id }),
    responses: { 200: CheckResult },
    handle: (call) =>
      ok(async () => {
        const revealing = { reveal: call.may('secrets.reveal') };
        return presentResult(await resultOfCheck(call.scope, call.params, revealing), createFileLinks(call));
      }),
  }),
];
