import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import type { Where } from '../../../stores/read-store/port.ts';
import { listing } from '../../../queries/listing.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { CheckResult } from '../checks/schema.ts';
import { checkParams, CheckParams, findCheck } from '../checks/find-check.ts';
import { resultFilters } from './filters.ts';
import { datesInOrder, filtered, later, within } from '../../../queries/result-filters.ts';
import { presentingResults } from './shown.ts';

const tag = 'Checks';
const byCheck = '/v1/checks/{check_id}/results';
const list = pagesOfStyleA({ key: 'results', size: 20 });

export const checkResultRoutes: Route[] = [
  route({
    methods: ['get'],
    path: byCheck,
    summary: 'The results of a check, newest first',
    tag,
    access: { needs: 'results.read' },
    confidential: true,
    params: CheckParams,
    query: Type.Object({ ...list.query, ...resultFilters }),
    answers: { 200: list.answer(CheckResult) },
    requireQuery: datesInOrder,
    find: findCheck,
    handle: ({ params, query, read, may, resultsFrom }) => {
      const { start_date: from, end_date: to } = query;
      const where: Where = {
        check_id: params.check_id,
        ...within(later(from ?? '', resultsFrom()), to),
        ...filtered(query),
      };
      return ok(() =>
        list.body(
          query,
          (paging) => listing(read(checkResults).check_results, { where, sort: { created_at: -1 } }, paging),
          presentingResults({ read, may }),
        ),
      );
    },
  }),
  route({
    methods: ['get'],
    path: `${byCheck}/{result_id}`,
    summary: 'One result of a check',
    tag,
    access: { needs: 'results.read' },
    confidential: true,
    params: Type.Object({ ...checkParams, result_id: Id }),
    answers: { 200: CheckResult },
    find: async (call) => {
      const check = await findCheck(call);
      const result = await call.read(checkResults).check_results.get(call.params.result_id);
      if (result?.check_id !== check.id) throw new NotFound('There is no such result.');
      return result;
    },
    handle: ({ found, read, may }) => ok(() => presentingResults({ read, may })(found)),
  }),
];
