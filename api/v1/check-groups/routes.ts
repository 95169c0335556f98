import { Type } from '@sinclair/typebox';
import {
  createCheckGroup,
  deleteCheckGroup,
  groupCheck,
  updateCheckGroup,
} from '../../../commands/checks/check-groups.ts';
import { IllegalState } from '../../../domain/errors.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { checkGroups } from '../../../projections/check-groups/projection.ts';
import { checks } from '../../../projections/checks/projection.ts';
import {
  readEndOfGroups,
  showCheckGroup,
  listCheckGroups,
  choosePosition,
} from '../../../queries/checks/check-groups.ts';
import { listChecksOfGroup } from '../../../queries/checks/checks.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { createPresenter } from '../../presenter.ts';
import { ABSENT_FIELDS_UNCHANGED, resource } from '../../resource.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id, text } from '../../schema.ts';
import { groupErrors, CheckParams, findCheckInPath } from '../checks/params.ts';
import { presentCheck } from '../checks/present.ts';
import { checkFilters, checkDetailOptions } from '../checks/filters.ts';
import { Check } from '../checks/schema.ts';
import { CheckGroup, CheckGroupChange, MovedCheck, NewCheckGroup, GroupPlacement } from './schema.ts';

const tag = 'Check groups';
const presentGroup = createPresenter(CheckGroup);
const listOfChecks = pagesOfStyleA({ key: 'checks', size: 20 });

/** Maximum number of groups of an organization (docs/reference/check-groups.md#endpoints). */
const MAX_GROUPS = 1_000;

const groups = resource({
  path: '/v1/check-groups',
  id: 'group_id',
  tag,
  noun: 'check group',
  needs: { read: 'checks.read', write: 'checks.write' },
  revised: ({ group_id }) => revisedIn('check_group', group_id),
  show: ({ scope, params }) => showCheckGroup(scope, params.group_id),
  schema: CheckGroup,
  present: presentGroup,
  list: {
    summary: 'List check groups',
    description: 'The list is sorted by position, then by name.',
    style: pagesOfStyleA({ key: 'groups', size: 20 }),
    filters: { name: text(100, { description: 'Part of the name. Case is ignored.' }), active: Type.Boolean() },
    ask: ({ scope, query }, paging) => listCheckGroups(scope, query, paging),
  },
  create: {
    body: NewCheckGroup,
    ask: async ({ body, context, commands, scope }) => {
      const { count, end } = await readEndOfGroups(scope);
      if (count >= MAX_GROUPS) {
        throw new IllegalState(`An organization can have at most ${MAX_GROUPS.toLocaleString('en')} check groups.`);
      }
      return commands.bind(createCheckGroup)(body, end, context);
    },
  },
  change: {
    description: `${ABSENT_FIELDS_UNCHANGED} When a group becomes active, its checks run within five seconds.`,
    body: CheckGroupChange,
    ask: ({ params, body, context, commands }) => commands.bind(updateCheckGroup)(params.group_id, body, context),
  },
  remove: {
    description: 'Its checks remain, without a group.',
    waitsFor: [checkGroups.name],
    ask: ({ params, context, commands }) => commands.bind(deleteCheckGroup)(params.group_id, context),
  },
});

export const checkGroupRoutes: Route[] = [
  ...groups,
  route({
    methods: ['get'],
    path: '/v1/check-groups/{group_id}/checks',
    summary: 'List the checks of a group',
    description: 'The list is sorted by position, then by name.',
    tag,
    access: { needs: 'checks.read' },
    confidential: true,
    params: Type.Object({ group_id: Id }),
    query: Type.Object({ ...listOfChecks.query, ...checkFilters }),
    responses: { 200: listOfChecks.answer(Check) },
    handle: ({ params, query, scope, ...call }) =>
      ok(() =>
        listOfChecks.body(
          query,
          (paging) => listChecksOfGroup(scope, params.group_id, query, paging, checkDetailOptions(call)),
          presentCheck,
        ),
      ),
  }),
  route({
    methods: ['put', 'patch'],
    path: '/v1/checks/{check_id}/group',
    summary: 'Move a check to a group',
    description: 'With `group_id` null, the check is removed from its group.',
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    body: GroupPlacement,
    responses: { 200: MovedCheck },
    waitsFor: [checks.name],
    find: findCheckInPath,
    alsoRefused: ({ body, scope }) => groupErrors(scope, body),
    handle: async ({ params: { check_id }, body, found, context, commands, scope }) => {
      const { group_id } = body;
      await commands.bind(groupCheck)(check_id, await choosePosition(scope, body, found), context);
      const message = group_id === null ? 'The check is in no group.' : 'The check is in the group.';
      return ok(() => ({ message, check_id, group_id }));
    },
  }),
];
