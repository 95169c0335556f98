import { Type } from '@sinclair/typebox';
import { EVENT_STREAM } from '../../../http/media/media-types.ts';
import { ok } from '../../../http/routes/route.ts';
import type { Route } from '../../route.ts';
import { pageRoute } from '../page-route.ts';

/** The route of the event stream with changes to a status page. */
export const liveRoutes: readonly Route[] = [
  pageRoute({
    path: '/events',
    summary: 'Changes of a status page, as server-sent events',
    produces: [EVENT_STREAM],
    query: Type.Object({ since: Type.Optional(Type.String()) }),
    answer: async ({ live, page, maySee, sent }, { query }) => {
      const since = sent.header('last-event-id') ?? query.since ?? null;
      const stream = await live.open({ page, maySee }, since);
      return { ...ok(() => stream), headers: { 'Cache-Control': 'no-store' } };
    },
  }),
];
