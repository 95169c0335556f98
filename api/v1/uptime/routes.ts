import { Type } from '@sinclair/typebox';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import type { Instant } from '../../../domain/time.ts';
import { calendarOf } from '../../../domain/uptime/days.ts';
import { requireRange, sentDays, type RangeQuery } from '../../../domain/uptime/range.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { components } from '../../../projections/components/projection.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { Read } from '../../../projections/readers.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { findPage, pageParams, PageParams } from '../pages/find-page.ts';
import { UptimeBody, UptimeQuery, UptimeStatistics } from './schema.ts';
import { uptimeOf, type Asked } from '../../../queries/uptime-statistics.ts';

const tag = 'Uptime';
const all = '/v1/pages/{page_id}/components';
const ComponentParams = Type.Object({ ...pageParams, component_id: Id });

const askedOf = (page: PageDocument, query: RangeQuery, now: Instant): Asked => {
  const calendar = calendarOf(page.time_zone);
  return { days: sentDays(query, calendar.dayOf(now)), calendar, now };
};

const isText = (value: unknown): value is string => typeof value === 'string';

/** Those components and groups of a page that ids name. */
const byIdOf = async (
  page: PageDocument,
  ids: readonly string[],
  read: Read,
): Promise<Map<string, ComponentDocument>> => {
  const found = await read(components).components.getMany([...new Set(ids)]);
  return new Map(found.filter(({ page_id }) => page_id === page.id).map((one) => [one.id, one]));
};

const brokenIds = (ids: readonly unknown[], byId: ReadonlyMap<unknown, ComponentDocument>): Record<string, string[]> =>
  Object.fromEntries(
    ids.flatMap((id, index) =>
      byId.has(id) ? [] : [[`component_ids.${index.toString()}`, ['Must be a component of this page.']]],
    ),
  );

/** Components and groups of a page in the order of their ids. @throws Invalid naming each id that is none */
const named = async (page: PageDocument, ids: readonly string[], read: Read): Promise<ComponentDocument[]> => {
  const byId = await byIdOf(page, ids, read);
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  if (inOrder.length < ids.length) throw new Invalid({ json: brokenIds(ids, byId) });
  return inOrder;
};

export const uptimeRoutes: Route[] = [
  route({
    methods: ['get'],
    path: `${all}/{component_id}/uptime`,
    summary: 'The uptime of a component or group',
    tag,
    access: { needs: 'uptime.read' },
    params: ComponentParams,
    query: UptimeQuery,
    answers: { 200: UptimeStatistics },
    requireQuery: requireRange,
    find: async ({ params, context, read }) => {
      const page = await findPage({ params, context, read });
      const component = await read(components).components.get(params.component_id);
      if (component?.page_id !== page.id) throw new NotFound('There is no such component.');
      return { page, component };
    },
    handle: ({ query, context, read, found: { page, component } }) => {
      const asked = askedOf(page, query, context.now);
      return ok(async () => (await uptimeOf([component], asked, read))[0]);
    },
  }),
  route({
    methods: ['post'],
    path: `${all}/uptime`,
    summary: 'The uptime of several components and groups, in the order of their ids',
    tag,
    access: { needs: 'uptime.read' },
    params: PageParams,
    query: UptimeQuery,
    body: UptimeBody,
    answers: { 200: Type.Array(UptimeStatistics) },
    requireQuery: requireRange,
    find: findPage,
    alsoRefused: async ({ body: { component_ids: ids }, read, found: page }) =>
      Array.isArray(ids) ? brokenIds(ids, await byIdOf(page, ids.filter(isText), read)) : {},
    handle: async ({ query, body, context, read, found: page }) => {
      const asked = askedOf(page, query, context.now);
      const components = await named(page, body.component_ids, read);
      return ok(() => uptimeOf(components, asked, read));
    },
  }),
];
