import type { Static } from '@sinclair/typebox';
import { setCheckChannels } from '../../../commands/alerts/check-channels.ts';
import { deleteCheck, restoreCheck, updateCheck } from '../../../commands/checks/checks.ts';
import { noSuchChannels } from '../../../domain/alert-rule/problems.ts';
import type { GroupPlacement } from '../../../domain/check/state.ts';
import { Invalid } from '../../../domain/errors.ts';
import { isFields } from '../../../domain/fields.ts';
import { notFound } from '../../../domain/existence.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { compileBody, type Validate } from '../../../http/routes/validate.ts';
import { alertRules } from '../../../projections/alert-rules/projection.ts';
import { checks } from '../../../projections/checks/projection.ts';
import { findChannels } from '../../../queries/alerts/alert-channels.ts';
import { findRulesOfChecks } from '../../../queries/alerts/alert-rules.ts';
import { choosePositionsAtEnd } from '../../../queries/checks/check-groups.ts';
import { findFormerChecks, findMatchingChecks } from '../../../queries/checks/matching.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { MAX_BULK_ITEMS, performInBulk, bulkResponses, selectedIds, type BulkItem } from '../../bulk.ts';
import { route, type Call, type Route } from '../../route.ts';
import { bulkBodyErrors, CheckBulk, overviewFilter, type CheckBulkChange } from './bulk-schema.ts';
import { createCheckFromBody } from './create.ts';
import { overviewFiltersOf } from './overview-routes.ts';
import { relationErrors } from './params.ts';
import { definitionBodyErrors } from './validation.ts';
import { NewCheck } from './schema.ts';

type Body = Static<typeof CheckBulk>;
type BulkCall = Call<unknown, unknown, Body>;
type BulkScope = Pick<BulkCall, 'scope' | 'commands'>;
type NewBody = Static<typeof NewCheck>;

let validator: Validate | null = null;

/** Validates a check to create. The errors are those of the route that creates a single check. @throws Invalid */
const requireSound = async (scope: Scope, body: unknown): Promise<NewBody> => {
  validator ??= compileBody(NewCheck);
  const broken = validator(body);
  const more = definitionBodyErrors(body);
  if (!broken && !more) return body as NewBody;
  const also = isFields(body) ? await relationErrors(scope, body) : {};
  throw new Invalid({ json: { ...also, ...more, ...broken } });
};

/** Creates a function that finds positions in groups. The function reads each group only once. */
const placing = (scope: Scope) => {
  const ends = new Map<string, ReturnType<typeof choosePositionsAtEnd>>();
  return async ({
    group_id = null,
    position = null,
  }: Pick<NewBody, 'group_id' | 'position'>): Promise<GroupPlacement> => {
    if (group_id === null || position !== null) return { group_id, position: group_id === null ? null : position };
    const end = ends.get(group_id) ?? choosePositionsAtEnd(scope, group_id);
    ends.set(group_id, end);
    return (await end)(null);
  };
};

const creations = async (create: readonly unknown[], { scope, commands }: BulkScope): Promise<BulkItem[]> => {
  const pause = timeSlices();
  const place = placing(scope);
  const items: BulkItem[] = [];
  for (const [index, body] of create.entries()) {
    await pause();
    const name = `create ${index}`;
    try {
      const sound = await requireSound(scope, body);
      const at = await place(sound);
      const perform: BulkItem['perform'] = async (context) => ({
        id: await createCheckFromBody({ commands, context }, sound, at),
        status: 201,
      });
      items.push({ name, id: null, perform });
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      items.push({ name, id: null, perform: () => Promise.reject(error) });
    }
  }
  return items;
};

/** Reads everything that the change needs, and returns the function that changes one check. */
const changing = async (
  change: CheckBulkChange,
  ids: readonly string[],
  { scope, commands }: BulkScope,
): Promise<(check: { id: string } & GroupPlacement) => BulkItem['perform']> => {
  const { group_id, channel_ids, parameters, active, interval, timeout, tags, add_tags, remove_tags } = change;
  const { regions } = parameters ?? {};
  const settings = {
    ...(active !== undefined && { active }),
    ...(interval !== undefined && { interval }),
    ...(timeout !== undefined && { timeout }),
    ...(regions && { regions }),
    ...(tags && { tags }),
    ...(add_tags && { addTags: add_tags }),
    ...(remove_tags && { removeTags: remove_tags }),
  };
  const placeOf = group_id === undefined ? null : await choosePositionsAtEnd(scope, group_id);
  const channels = channel_ids && (await findChannels(scope, channel_ids));
  const missing = channel_ids?.filter((id) => !channels?.has(id)) ?? [];
  const rules = channel_ids ? await findRulesOfChecks(scope, ids) : new Map<string, string[]>();
  return (check) => {
    const place = placeOf?.(check);
    return async (context) => {
      if (missing.length > 0) throw Invalid.field('channel_ids', noSuchChannels(missing));
      await commands.bind(updateCheck)(check.id, settings, context, place ? { place } : {});
      if (channel_ids) {
        await commands.bind(setCheckChannels)(check.id, rules.get(check.id) ?? [], channel_ids, context);
      }
      return { id: check.id, status: 200 };
    };
  };
};

const changes = async (body: Body, change: CheckBulkChange, given: BulkScope): Promise<BulkItem[]> => {
  const { scope, commands } = given;
  const ids = await selectedIds(body, (filter, limit) =>
    findMatchingChecks(scope, overviewFiltersOf(overviewFilter.read(filter)), limit),
  );
  const known = await findFormerChecks(scope, ids);
  const changed = await changing(change, ids, given);
  return ids.map((id): BulkItem => {
    const check = known.get(id);
    const performing = (): BulkItem['perform'] => {
      // Do not require here that the check still exists, because the commands test this. So a repeated request
      // succeeds, although the first request has already deleted or restored the check.
      if (check && change.delete) {
        return async (context) => {
          await commands.bind(deleteCheck)(id, context);
          return { id, status: 204 };
        };
      }
      if (check && change.restore) {
        return async (context) => {
          await commands.bind(restoreCheck)(id, context);
          return { id, status: 200 };
        };
      }
      return check?.isThere ? changed(check) : () => Promise.reject(notFound('check'));
    };
    return { name: id, id, perform: performing() };
  });
};

export const checkBulkRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/checks/bulk',
    summary: 'Change, delete, restore or create many checks',
    description: `A request selects checks by their ids or by a filter. It affects at most ${MAX_BULK_ITEMS.toLocaleString('en')} checks.`,
    tag: 'Checks',
    access: { needs: 'checks.write' },
    body: CheckBulk,
    responses: bulkResponses,
    heavy: true,
    waitsFor: [checks.name, alertRules.name],
    refuse: bulkBodyErrors,
    handle: async (call) => {
      const { create, change } = call.body;
      const items = create ? await creations(create, call) : change ? await changes(call.body, change, call) : [];
      return performInBulk(items, call);
    },
  }),
];
