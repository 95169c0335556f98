import { Type } from '@sinclair/typebox';
import { requireRange } from '../../../domain/uptime/range.ts';
import { components } from '../../../projections/components/projection.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { componentOfPage } from '../../../queries/pages/components.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import { invalidComponentIds, readUptimeOf, readUptimeByIds } from '../../../queries/uptime/uptime.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { findPageInPath, pageParams, PageParams } from '../pages/params.ts';
import { UptimeBody, UptimeQuery, UptimeStatistics } from './schema.ts';

const tag = 'Uptime';
const all = '/v1/pages/{page_id}/components';
/** The projections that uptime is computed from. */
const READ = [pages.name, components.name];
const ComponentParams = Type.Object({ ...pageParams, component_id: Id });

export const uptimeRoutes: Route[] = [
  route({
    methods: ['get'],
    path: `${all}/{component_id}/uptime`,
    summary: 'Get the uptime of a component',
    description: 'The component may be a group.',
    tag,
    access: { needs: 'uptime.read' },
    params: ComponentParams,
    query: UptimeQuery,
    responses: { 200: UptimeStatistics },
    requireQuery: requireRange,
    find: async ({ params, scope }) => {
      const page = await findPage(scope, params.page_id);
      return { page, component: await componentOfPage(scope, page, params.component_id) };
    },
    heavy: true,
    handle: ({ query, scope, signal, share, found: { page, component } }) =>
      ok(async () => {
        const key = ['uptime', page.id, [component.id], query];
        const [found] = await share(READ, key, signal, (waited) =>
          readUptimeOf(scope, page, [component], query, waited),
        );
        return found;
      }),
  }),
  route({
    methods: ['post'],
    effect: 'read',
    path: `${all}/uptime`,
    summary: 'Get the uptime of several components',
    description: 'Groups are allowed too. The results are in the order of the ids in the request.',
    tag,
    access: { needs: 'uptime.read' },
    params: PageParams,
    query: UptimeQuery,
    body: UptimeBody,
    responses: { 200: Type.Array(UptimeStatistics) },
    requireQuery: requireRange,
    find: findPageInPath,
    alsoRefused: ({ body: { component_ids: ids }, scope, found: page }) =>
      Array.isArray(ids) ? invalidComponentIds(scope, page, ids) : {},
    heavy: true,
    handle: ({ query, body: { component_ids: ids }, scope, signal, share, found: page }) =>
      ok(() =>
        share(READ, ['uptime', page.id, ids, query], signal, (waited) =>
          readUptimeByIds(scope, page, ids, query, waited),
        ),
      ),
  }),
];
