import { Type } from '@sinclair/typebox';
import { requireRange } from '../../../domain/uptime/range.ts';
import { components } from '../../../projections/components/projection.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { componentOfPage } from '../../../queries/pages/components.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import { brokenComponentIds, uptimeOf, uptimeOfNamed } from '../../../queries/uptime/uptime.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { findNamedPage, pageParams, PageParams } from '../pages/params.ts';
import { UptimeBody, UptimeQuery, UptimeStatistics } from './schema.ts';

const tag = 'Uptime';
const all = '/v1/pages/{page_id}/components';
/** What the figures depend on, besides the time. */
const READ = [pages.name, components.name];
const ComponentParams = Type.Object({ ...pageParams, component_id: Id });

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
    find: async ({ params, scope }) => {
      const page = await findPage(scope, params.page_id);
      return { page, component: await componentOfPage(scope, page, params.component_id) };
    },
    heavy: true,
    handle: ({ query, scope, signal, share, found: { page, component } }) =>
      ok(async () => {
        const key = ['uptime', page.id, [component.id], query];
        const [found] = await share(READ, key, signal, (waited) => uptimeOf(scope, page, [component], query, waited));
        return found;
      }),
  }),
  route({
    methods: ['post'],
    effect: 'read',
    path: `${all}/uptime`,
    summary: 'The uptime of several components and groups, in the order of their ids',
    tag,
    access: { needs: 'uptime.read' },
    params: PageParams,
    query: UptimeQuery,
    body: UptimeBody,
    answers: { 200: Type.Array(UptimeStatistics) },
    requireQuery: requireRange,
    find: findNamedPage,
    alsoRefused: ({ body: { component_ids: ids }, scope, found: page }) =>
      Array.isArray(ids) ? brokenComponentIds(scope, page, ids) : {},
    heavy: true,
    handle: ({ query, body: { component_ids: ids }, scope, signal, share, found: page }) =>
      ok(() =>
        share(READ, ['uptime', page.id, ids, query], signal, (waited) =>
          uptimeOfNamed(scope, page, ids, query, waited),
        ),
      ),
  }),
];
