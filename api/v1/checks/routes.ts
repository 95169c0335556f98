import { Type } from '@sinclair/typebox';
import { deleteCheck, restoreCheck, updateCheck } from '../../../commands/checks/checks.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { alertRules } from '../../../projections/alert-rules/projection.ts';
import { checks } from '../../../projections/checks/projection.ts';
import { newPlaceOf, placeFor } from '../../../queries/checks/check-groups.ts';
import { checkWithDetails, listChecks } from '../../../queries/checks/checks.ts';
import type { Detailing } from '../../../queries/checks/details.ts';
import { findFormerCheck } from '../../../queries/checks/find.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { text } from '../../schema.ts';
import { createFrom } from './create.ts';
import { CheckWithUptime, includedUptime, requireUptimeQuery, uptimeQuery } from './include-uptime.ts';
import { brokenRelations, CheckParams, findNamedCheck } from './params.ts';
import { presentCheck } from './present.ts';
import { brokenChange, brokenDefinition } from './validation.ts';
import { regionRoutes } from './get-regions-routes.ts';
import { Check, CheckChange, NewCheck } from './schema.ts';
import { checkSearch, detailing } from './filters.ts';
import { UNCHANGED } from '../../resource.ts';

const tag = 'Checks';
const byId = '/v1/checks/{check_id}';
const list = pagesOfStyleA({ key: 'checks', size: 20, newestBy: 'created_at' });

const revised = ({ check_id }: { check_id: string }) => revisedIn('check', check_id);

/** The check after this request. */
const show = async (scope: Scope, checkId: string, requested: Detailing): Promise<Check> =>
  presentCheck(await checkWithDetails(scope, checkId, requested));

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
      ...checkSearch,
      group_id: Type.Optional(text(12, { description: 'The id of a check group, or `ungrouped`.' })),
      ...uptimeQuery,
    }),
    answers: { 200: list.answer(CheckWithUptime) },
    heavy: true,
    requireQuery: requireUptimeQuery,
    handle: ({ query, scope, ...call }) => {
      const { group_id, ...filters } = query;
      const requested = {
        ...filters,
        ...(group_id !== undefined && { group_id: group_id === 'ungrouped' ? null : group_id }),
      };
      const details = detailing(call, includedUptime(query));
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
    answers: { 201: Check },
    refuse: (_, body) => brokenDefinition(body),
    alsoRefused: ({ body, scope }) => brokenRelations(scope, body),
    handle: async ({ body, context, commands, scope, may }) => {
      const place = await placeFor(scope, { group_id: null, ...body });
      const id = await createFrom({ commands, context }, body, place);
      return created(`/v1/checks/${id}`, id, () => show(scope, id, detailing({ may, commands })));
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
    answers: { 200: CheckWithUptime },
    requireQuery: requireUptimeQuery,
    handle: ({ params, query, scope, ...call }) =>
      ok(() => show(scope, params.check_id, detailing(call, includedUptime(query)))),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change a check',
    description: UNCHANGED,
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    revised,
    body: CheckChange,
    answers: { 200: Check },
    find: findNamedCheck,
    refuse: brokenChange,
    alsoRefused: ({ body, scope }) => brokenRelations(scope, body),
    handle: async ({ params, body, context, commands, scope, may, found }) => {
      const { group_id, position, secrets, muted_until: mutedUntil, ...changes } = body;
      const moved = group_id !== undefined || position !== undefined;
      await commands.ask(updateCheck)(params.check_id, changes, context, {
        ...(moved && { place: await newPlaceOf(scope, found, { group_id, position }) }),
        ...(secrets && { secrets }),
        ...(mutedUntil !== undefined && { mutedUntil }),
      });
      return ok(() => show(scope, params.check_id, detailing({ may, commands })));
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
    answers: { 204: null },
    waitsFor: [checks.name],
    find: findNamedCheck,
    handle: async ({ params, context, commands }) => {
      await commands.ask(deleteCheck)(params.check_id, context);
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
    answers: { 200: Check },
    waitsFor: [alertRules.name],
    find: ({ scope, params }) => findFormerCheck(scope, params.check_id),
    handle: async ({ params, context, commands, scope, may }) => {
      await commands.ask(restoreCheck)(params.check_id, context);
      return ok(() => show(scope, params.check_id, detailing({ may, commands })));
    },
  }),
];
