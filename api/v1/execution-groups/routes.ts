import { Type } from '@sinclair/typebox';
import { statisticsOf } from '../../../domain/execution-group/state.ts';
import { findExecutionGroup, listExecutionGroups } from '../../../queries/checks/execution-groups.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, commaList, Id } from '../../schema.ts';
import { ExecutionGroup, GROUP_STATUSES, RegionalResult, presentExecutionGroup, Statistics } from './schema.ts';
import { CheckParams, findCheckInPath } from '../checks/params.ts';

const tag = 'Execution groups';
const byId = '/v1/execution-groups/{group_id}';
const list = pagesOfStyleA({ key: 'execution_groups', size: 20, newestBy: 'created_at' });
const GroupParams = Type.Object({ group_id: Id });

const findNamedGroup = ({ params, scope }: { params: { group_id: string }; scope: Scope }) =>
  findExecutionGroup(scope, params.group_id);

export const executionGroupRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/{check_id}/execution-groups',
    summary: 'List the execution groups of a check',
    description: 'An execution group is a run in several regions. The list is sorted newest first.',
    tag,
    access: { needs: 'results.read' },
    params: CheckParams,
    query: Type.Object({ ...list.query, status: Type.Optional(commaList(choice(GROUP_STATUSES))) }),
    responses: { 200: list.answer(ExecutionGroup) },
    heavy: true,
    find: findCheckInPath,
    handle: ({ query, scope, found: check }) =>
      ok(() => list.body(query, (paging) => listExecutionGroups(scope, check, query, paging), presentExecutionGroup)),
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get an execution group',
    tag,
    access: { needs: 'results.read' },
    params: GroupParams,
    responses: { 200: ExecutionGroup },
    find: findNamedGroup,
    handle: ({ found }) => ok(() => presentExecutionGroup(found)),
  }),
  route({
    methods: ['get'],
    path: `${byId}/regional-results`,
    summary: 'Get the regional results of an execution group',
    tag,
    access: { needs: 'results.read' },
    params: GroupParams,
    responses: {
      200: Type.Object({
        execution_group_id: Id,
        regional_results: Type.Array(RegionalResult),
        statistics: Statistics,
      }),
    },
    find: findNamedGroup,
    handle: ({ found }) =>
      ok(() => ({
        execution_group_id: found.id,
        regional_results: found.regional_results,
        statistics: statisticsOf(found),
      })),
  }),
];
