import { Type } from '@sinclair/typebox';
import type { Commands } from '../../../commands/index.ts';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { CHECK_DEFAULTS } from '../../../domain/check/state.ts';
import { REGIONS } from '../../../domain/check/regions.ts';
import { isSilent, NO_RUNNER, regionsWithoutRunner, type Served } from '../../../domain/check/unserved.ts';
import { checkActivity } from '../../../projections/check-activity/projection.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { checks } from '../../../projections/checks/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import type { Where } from '../../../stores/read-store/port.ts';
import { listing } from '../../../queries/listing.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { presenting } from '../../present.ts';
import { created, noContent, ok, route, type Call, type Route } from '../../route.ts';
import { choice, text } from '../../schema.ts';
import { shownParameters } from './parameters.ts';
import { brokenChange, brokenDefinition } from './refusals.ts';
import { Check, CheckChange, NewCheck, Region } from './schema.ts';
import { suspensions } from '../organizations/credits.ts';
import { CheckParams, findCheck } from './find-check.ts';
import { CheckWithUptime, includingUptime, requireUptimeQuery, uptimeQuery } from './included-uptime.ts';

const tag = 'Checks';
const byId = '/v1/checks/{check_id}';
const list = pagesOfStyleA({ key: 'checks', size: 20 });
const shown = presenting(Check, ['secrets', 'group', 'parameters', 'last_checked_at', 'suspended_reason']);

type Reading = Pick<Call<unknown, unknown, unknown>, 'context' | 'read' | 'keys' | 'may'> & {
  commands: Pick<Commands, 'checks'>;
};

const lastCheckedAt = async (read: Read, checkId: string): Promise<string | null> =>
  (await read(checkActivity).check_activity.get(checkId))?.last_checked_at ?? null;

const present = ({ context, read, keys, may, commands }: Reading): ((check: CheckDocument) => Promise<Check>) => {
  const suspendedReason = suspensions({ context, read });
  let served: Promise<Served> | null = null;
  /** The runners are asked only for a check that nothing was heard of, once for all. */
  const withoutRunner = async (check: CheckDocument, lastCheckedAt: string | null): Promise<string | null> => {
    if (!isSilent(check, lastCheckedAt, context.now)) return null;
    return regionsWithoutRunner(check, await (served ??= commands.checks.served())) ? NO_RUNNER : null;
  };
  return async (check) => {
    const last_checked_at = await lastCheckedAt(read, check.id);
    return shown(check, {
      secrets: [],
      group: null,
      parameters: await shownParameters(check.parameters, {
        organizationId: check.organization_id,
        type: check.type,
        keys,
        may,
      }),
      last_checked_at,
      suspended_reason: (await suspendedReason(check)) ?? (await withoutRunner(check, last_checked_at)),
    });
  };
};

/** The check as it is after what this request has done. */
const presentById = async (checkId: string, reading: Reading): Promise<Check> =>
  present(reading)(await findCheck({ ...reading, params: { check_id: checkId } }));

export const checkRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks',
    summary: 'The checks of the organization, newest first',
    tag,
    access: { needs: 'checks.read' },
    confidential: true,
    query: Type.Object({
      ...list.query,
      type: Type.Optional(choice(CHECK_TYPE_NAMES)),
      status: Type.Optional(choice(['pending', 'up', 'down'])),
      name: Type.Optional(text(100, { description: 'any part of the name, case ignored' })),
      group_id: Type.Optional(text(12, { description: 'a check group, or "ungrouped"' })),
      ...uptimeQuery,
    }),
    answers: { 200: list.answer(CheckWithUptime) },
    requireQuery: requireUptimeQuery,
    handle: ({ query, ...call }) => {
      const { type, status, name, group_id: group } = query;
      const { context, read } = call;
      const withUptime = includingUptime(query, call);
      const show = present(call);
      const where: Where = {
        organization_id: context.organizationId,
        deleted_at: null,
        ...(type !== undefined && { type }),
        ...(status !== undefined && { status }),
        ...(name !== undefined && { name: { $contains: name } }),
        ...(group !== undefined && { group_id: group === 'ungrouped' ? null : group }),
      };
      return ok(() =>
        list.body(
          query,
          (paging) => listing(read(checks).checks, { where, sort: { created_at: -1 } }, paging),
          async (check) => withUptime(await show(check)),
        ),
      );
    },
  }),
  route({
    methods: ['post'],
    path: '/v1/checks',
    summary: 'Create a check; an active one runs within five seconds',
    tag,
    access: { needs: 'checks.write' },
    body: NewCheck,
    answers: { 201: Check },
    refuse: (_, body) => brokenDefinition(body),
    handle: async ({ body, commands, ...call }) => {
      const { name, type, interval, active, timeout, host, url, port, parameters } = { ...CHECK_DEFAULTS, ...body };
      const id = await commands.checks.create(
        { name, type, interval, active, timeout, host, url, port, parameters },
        call.context,
      );
      return created(`/v1/checks/${id}`, id, () => presentById(id, { ...call, commands }));
    },
  }),
  route({
    methods: ['get'],
    path: '/v1/checks/get-regions',
    summary: 'The regions from which checks run, with what can be run there now',
    tag,
    access: { needs: 'checks.read' },
    query: Type.Object({ check_type: Type.Optional(choice(CHECK_TYPE_NAMES)) }),
    answers: { 200: Type.Object({ regions: Type.Array(Region), total_regions: Type.Integer() }) },
    handle: ({ query: { check_type: type }, commands }) =>
      ok(async () => {
        const abilities = await commands.checks.runnableTypes();
        const regions = REGIONS.map(({ id, display_name, aliases }) => ({
          id,
          display_name,
          aliases,
          available_check_types: [...(abilities.get(id) ?? [])].sort(),
        })).filter((region) => type === undefined || region.available_check_types.includes(type));
        return { regions, total_regions: regions.length };
      }),
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'One check',
    tag,
    access: { needs: 'checks.read' },
    confidential: true,
    params: CheckParams,
    query: Type.Object(uptimeQuery),
    answers: { 200: CheckWithUptime },
    requireQuery: requireUptimeQuery,
    handle: ({ params, query, ...call }) => {
      const withUptime = includingUptime(query, call);
      return ok(async () => withUptime(await presentById(params.check_id, call)));
    },
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change a check; fields that are absent stay',
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    body: CheckChange,
    answers: { 200: Check },
    find: findCheck,
    refuse: brokenChange,
    handle: async ({ params, body, commands, ...call }) => {
      await commands.checks.update(params.check_id, body, call.context);
      return ok(() => presentById(params.check_id, { ...call, commands }));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete a check with its results',
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    answers: { 204: null },
    waitsFor: [checks.name],
    find: findCheck,
    handle: async ({ params, context, commands }) => {
      await commands.checks.remove(params.check_id, context);
      return noContent();
    },
  }),
];
