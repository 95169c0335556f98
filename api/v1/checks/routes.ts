import { Type } from '@sinclair/typebox';
import { deleteCheck, restoreCheck, updateCheck } from '../../../commands/checks/checks.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { alertRules } from '../../../projections/alert-rules/projection.ts';
import { checks } from '../../../projections/checks/projection.ts';
import { positionAfterChange, choosePosition } from '../../../queries/checks/check-groups.ts';
import { showCheck, listChecks } from '../../../queries/checks/checks.ts';
import type { DetailOptions } from '../../../queries/checks/details.ts';
import { findFormerCheck } from '../../../queries/checks/find.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { text } from '../../schema.ts';
import { createCheckFromBody } from './create.ts';
import { CheckWithUptime, includedUptime, requireUptimeQuery, uptimeQuery } from './include-uptime.ts';
import { relationErrors, CheckParams, findCheckInPath } from './params.ts';
import { presentCheck } from './present.ts';
import { checkChangeBodyErrors, definitionBodyErrors } from './validation.ts';
import { regionRoutes } from './get-regions-routes.ts';
import { Check, CheckChange, NewCheck } from './schema.ts';
import { checkFilters, checkDetailOptions } from './filters.ts';
import { ABSENT_FIELDS_UNCHANGED } from '../../resource.ts';

const tag = 'Checks';
const byId = '/v1/checks/{check_id}';
const list = pagesOfStyleA({ key: 'checks', size: 20, newestBy: 'created_at' });

const revised = ({ check_id }: { check_id: string }) => revisedIn('check', check_id);

/** Loads the check in its state after the request. */
const show = async (scope: Scope, checkId: string, requested: DetailOptions): Promise<Check> =>
  presentCheck(await showCheck(scope, checkId, requested));

export const checkRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks',
    summary: 'List checks',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'checks.read' },
    confidential: true,
    query: Type.Object({
      ...list.query,
      ...checkFilters,
      group_id: Type.Optional(text(12, { description: 'The id of a check group, or `ungrouped`.' })),
      ...uptimeQuery,
    }),
    responses: { 200: list.answer(CheckWithUptime) },
    heavy: true,
    requireQuery: requireUptimeQuery,
    handle: ({ query, scope, ...call }) => {
      const { group_id, ...filters } = query;
      const requested = {
        ...filters,
        ...(group_id !== undefined && { group_id: group_id === 'ungrouped' ? null : group_id }),
      };
      const details = checkDetailOptions(call, includedUptime(query));
      return ok(() => list.body(query, (paging) => listChecks(scope, requested, paging, details), presentCheck));
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/checks',
    summary: 'Create a check',
    description: 'An active check first runs within five seconds.',
    tag,
    access: { needs: 'checks.write' },
    body: NewCheck,
    responses: { 201: Check },
    refuse: (_, body) => definitionBodyErrors(body),
    alsoRefused: ({ body, scope }) => relationErrors(scope, body),
    handle: async ({ body, context, commands, scope, may }) => {
      const place = await choosePosition(scope, { group_id: null, ...body });
      const id = await createCheckFromBody({ commands, context }, body, place);
      return created(`/v1/checks/${id}`, id, () => show(scope, id, checkDetailOptions({ may, commands })));
    },
  }),
  ...regionRoutes,
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get a check',
    tag,
    access: { needs: 'checks.read' },
    confidential: true,
    params: CheckParams,
    revised,
    query: Type.Object(uptimeQuery),
    responses: { 200: CheckWithUptime },
    requireQuery: requireUptimeQuery,
    handle: ({ params, query, scope, ...call }) =>
      ok(() => show(scope, params.check_id, checkDetailOptions(call, includedUptime(query)))),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change a check',
    description: ABSENT_FIELDS_UNCHANGED,
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    revised,
    body: CheckChange,
    responses: { 200: Check },
    find: findCheckInPath,
    refuse: checkChangeBodyErrors,
    alsoRefused: ({ body, scope }) => relationErrors(scope, body),
    handle: async ({ params, body, context, commands, scope, may, found }) => {
      const { group_id, position, secrets, muted_until: mutedUntil, ...changes } = body;
      const moved = group_id !== undefined || position !== undefined;
      await commands.bind(updateCheck)(params.check_id, changes, context, {
        ...(moved && { place: await positionAfterChange(scope, found, { group_id, position }) }),
        ...(secrets && { secrets }),
        ...(mutedUntil !== undefined && { mutedUntil }),
      });
      return ok(() => show(scope, params.check_id, checkDetailOptions({ may, commands })));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete a check',
    description: 'Its results are deleted too.',
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    revised,
    responses: { 204: null },
    waitsFor: [checks.name],
    find: findCheckInPath,
    handle: async ({ params, context, commands }) => {
      await commands.bind(deleteCheck)(params.check_id, context);
      return noContent();
    },
  }),
  route({
    methods: ['post'],
    path: `${byId}/restore`,
    summary: 'Restore a check',
    description: 'A check can be restored for 30 seconds after its deletion.',
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    responses: { 200: Check },
    waitsFor: [alertRules.name],
    find: ({ scope, params }) => findFormerCheck(scope, params.check_id),
    handle: async ({ params, context, commands, scope, may }) => {
      await commands.bind(restoreCheck)(params.check_id, context);
      return ok(() => show(scope, params.check_id, checkDetailOptions({ may, commands })));
    },
  }),
];
