import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../../../api/endpoints.ts';
import type { ApiSurface } from '../../../api/route.ts';
import { commandContext } from '../../../commands/engine/context.ts';
import type { Endpoint } from '../../../http/app.ts';
import { endpointsOf } from '../../../http/routes/endpoints.ts';
import { createRoute, noContent, ok, type Route } from '../../../http/routes/route.ts';
import { lacks, mayOf, type Permission } from './permissions.ts';

/** The dependencies of the API, whose permissions include the new one. */
interface Archive extends Omit<ApiSurface, 'permission' | 'given' | 'writing'> {
  permission: Permission;
  given: Pick<ApiSurface['given'], 'context'> & { may: (permission: Permission) => boolean };
  writing: object;
}

const route = createRoute<Archive>();
const page = { path: '/v1/pages/{page_id}/archive', params: Type.Object({ page_id: Type.String() }), tag: 'Pages' };
const put = new Map<string, string>();

/** Two routes: one requires the new permission, and the response of the other one depends on this permission. */
export const archiveRoutes: Route<Archive>[] = [
  route({
    ...page,
    methods: ['post'],
    summary: 'Archive a page',
    access: { needs: 'pages.archive' },
    responses: { 204: null },
    handle: ({ params, context }) => {
      put.set(params.page_id, context.actor.id);
      return noContent();
    },
  }),
  route({
    ...page,
    methods: ['get'],
    summary: 'Show whether a page is archived, and by whom',
    access: { needs: 'pages.read' },
    responses: { 200: Type.Object({ archived: Type.Boolean(), by: Type.Union([Type.String(), Type.Null()]) }) },
    handle: ({ params, may }) => {
      const by = put.get(params.page_id);
      return ok(() => ({ archived: by !== undefined, by: may('pages.archive') ? (by ?? null) : null }));
    },
  }),
];

/** Serves the routes above, as `api/endpoints.ts` serves the routes of the product. */
export const archiveEndpoints = (parts: ApiDependencies): Endpoint[] =>
  endpointsOf<Archive>(archiveRoutes, {
    ...parts,
    lacks,
    createHandlerContext: (asking) => ({ context: commandContext(asking), may: mayOf(asking.actor.role) }),
  });
