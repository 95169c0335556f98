import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { statisticsOf } from '../../../domain/execution-group/state.ts';
import type { Instant } from '../../../domain/time.ts';
import { executionGroups, type ExecutionGroupDocument } from '../../../projections/execution-groups/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { listing } from '../../../queries/listing.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, Id } from '../../schema.ts';
import { ExecutionGroup, GROUP_STATUSES, RegionalResult, shownGroup, Statistics } from './schema.ts';
import { CheckParams, findCheck, isShown } from '../checks/find-check.ts';

const tag = 'Execution groups';
const byId = '/v1/execution-groups/{group_id}';
const list = pagesOfStyleA({ key: 'execution_groups', size: 20 });
const GroupParams = Type.Object({ group_id: Id });

interface LookingForGroup {
  params: { group_id: string };
  context: { organizationId: string };
  read: Read;
  resultsFrom: () => Instant;
}

/** The group that a path names; those of a deleted check are gone with it. @throws NotFound */
const findGroup = async ({ params, context, read, resultsFrom }: LookingForGroup): Promise<ExecutionGroupDocument> => {
  const { organizationId } = context;
  const group = await read(executionGroups).execution_groups.get(params.group_id);
  const there = group?.organization_id === organizationId && group.created_at >= resultsFrom();
  if (!there || (group.check_id !== null && !(await isShown(group.check_id, organizationId, read))))
    throw new NotFound('There is no such execution group.');
  return group;
};

export const executionGroupRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/{check_id}/execution-groups',
    summary: 'The parallel runs of a check, newest first',
    tag,
    access: { needs: 'results.read' },
    params: CheckParams,
    query: Type.Object({ ...list.query, status: Type.Optional(choice(GROUP_STATUSES)) }),
    answers: { 200: list.answer(ExecutionGroup) },
    find: findCheck,
    handle: ({ params, query, read, resultsFrom }) => {
      const { status } = query;
      const where = {
        check_id: params.check_id,
        created_at: { $gte: resultsFrom() },
        ...(status !== undefined && { status }),
      };
      return ok(() =>
        list.body(
          query,
          (paging) => listing(read(executionGroups).execution_groups, { where, sort: { created_at: -1 } }, paging),
          shownGroup,
        ),
      );
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'One parallel run',
    tag,
    access: { needs: 'results.read' },
    params: GroupParams,
    answers: { 200: ExecutionGroup },
    find: findGroup,
    handle: ({ found }) => ok(() => shownGroup(found)),
  }),
  route({
    methods: ['get'],
    path: `${byId}/regional-results`,
    summary: 'What each region answered in a parallel run',
    tag,
    access: { needs: 'results.read' },
    params: GroupParams,
    answers: {
      200: Type.Object({
        execution_group_id: Id,
        regional_results: Type.Array(RegionalResult),
        statistics: Statistics,
      }),
    },
    find: findGroup,
    handle: ({ found }) =>
      ok(() => ({
        execution_group_id: found.id,
        regional_results: found.regional_results,
        statistics: statisticsOf(found),
      })),
  }),
];
