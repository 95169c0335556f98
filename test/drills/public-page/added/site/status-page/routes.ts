import { Type } from '@sinclair/typebox';
import { setTimeout as passed } from 'node:timers/promises';
import { openIncident } from '../../commands/pages/incidents.ts';
import { FORM_BODY } from '../../http/media/body-types.ts';
import { eventStream } from '../../http/media/event-stream.ts';
import { EVENT_STREAM, html } from '../../http/media/media-types.ts';
import { ok, seeOther } from '../../http/routes/route.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { listUnresolved, type JoinedIncident } from '../../queries/pages/incidents.ts';
import { findPage } from '../../queries/pages/pages.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { tenantOfPage } from '../../queries/organizations/tenants.ts';
import { route, type Route } from '../route.ts';
import { errorPage, statusPage } from './page.ts';

const PAGE = html({ problem: errorPage });

/** Interval between two checks for changes, in milliseconds. */
const INTERVAL_MS = 50;

const ofPage = {
  tag: 'Status pages',
  access: { public: { tenant: tenantOfPage } },
  params: Type.Object({ page_id: Type.String() }),
};

const openIncidents = async (scope: Scope, pageId: string): Promise<JoinedIncident[]> => {
  const found: JoinedIncident[] = [];
  for await (const one of listUnresolved(scope, await findPage(scope, pageId)).incidents()) found.push(one);
  return found;
};

/** Yields the number of open incidents whenever it changes. */
const changes = (scope: Scope, pageId: string) =>
  eventStream(async function* (signal) {
    for (let sent = -1; ; await passed(INTERVAL_MS, undefined, { signal })) {
      const { length } = await openIncidents(scope, pageId);
      if (length !== sent) yield { event: 'incidents', data: length.toString() };
      sent = length;
    }
  });

export const statusPageRoutes: readonly Route[] = [
  route({
    ...ofPage,
    methods: ['get'],
    path: '/notices/{page_id}',
    summary: 'Show a status page',
    produces: [PAGE],
    responses: { 200: Type.String() },
    handle: ({ params, scope }) =>
      ok(async () => statusPage(await findPage(scope, params.page_id), await openIncidents(scope, params.page_id))),
  }),
  route({
    ...ofPage,
    methods: ['post'],
    path: '/notices/{page_id}/problems',
    summary: 'Report a problem',
    effect: 'write',
    accepts: [FORM_BODY],
    body: Type.Object({ what: Type.String({ minLength: 1, maxLength: 200 }) }),
    produces: [PAGE],
    responses: { 303: null },
    // The redirect leads to the page, which must already contain the incident.
    waitsFor: [incidents.name],
    handle: async ({ params, body, context, commands }) => {
      const incident = { name: body.what, body: body.what, status: 'investigating', components: {} } as const;
      await commands.bind(openIncident)(params.page_id, incident, context);
      return seeOther(`/notices/${params.page_id}`);
    },
  }),
  route({
    ...ofPage,
    methods: ['get'],
    path: '/notices/{page_id}/changes',
    summary: 'Stream the number of open incidents',
    produces: [EVENT_STREAM],
    responses: { 200: Type.String() },
    handle: ({ params, scope }) => ok(() => changes(scope, params.page_id)),
  }),
];
