import { Type } from '@sinclair/typebox';
import { EVENT_STREAM } from '../../../http/media/media-types.ts';
import { ok, route, type Route } from '../../route.ts';
import { text } from '../../schema.ts';
import { EventChanges } from './schema.ts';

/** Streams the changes of an organization as they happen (docs/reference/events.md). */
export const eventRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/events',
    summary: 'Stream changes of the organization',
    description: 'The response is an endless stream of server-sent events.',
    tag: 'Events',
    access: { needs: 'events.read' },
    confidential: true,
    query: Type.Object({
      since: Type.Optional(
        text(100, {
          description: 'The id of the last event that the client has received, if it sends no `Last-Event-ID`.',
        }),
      ),
    }),
    produces: [EVENT_STREAM],
    responses: { 200: EventChanges },
    handle: ({
      query,
      sent,
      context: { actor, organizationId },
      caller,
      credential,
      clientAddress: address,
      events,
    }) => {
      const since = sent.header('last-event-id') ?? query.since ?? null;
      const stream = events.open({ actor, organizationId, ...caller, credential: credential ?? '', address }, since);
      return ok(() => stream);
    },
  }),
];
