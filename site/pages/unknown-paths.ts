import { Type } from '@sinclair/typebox';
import { NotFound } from '../../domain/errors.ts';
import { ANY_BODY } from '../../http/media/body-types.ts';
import { html, JSON_TYPE, TEXT } from '../../http/media/media-types.ts';
import { route, type Route } from '../route.ts';
import { belowRoot, pageRoute } from './page-route.ts';
import { notFoundAt, unauthorized } from './error-responses.ts';
import { visitorOf, type SiteCall } from './visit.ts';

const anything = {
  summary: 'An unknown path of a status page',
  // If a client accepts any media type, it gets text, because text is the first type in this list.
  produces: [TEXT, html(), JSON_TYPE] as const,
  anyHeaders: true,
};

/**
 * Responds to requests for unknown paths below a page's root with 404, for all methods. HTML responses have the frame
 * of the page.
 */
export const unknownPathRoutes: readonly Route[] = [
  pageRoute({
    ...anything,
    path: '/{...rest}',
    answer: () => {
      throw new NotFound('Not found.');
    },
  }),
  route({
    ...anything,
    ...belowRoot('/{...rest}'),
    methods: ['post', 'put', 'patch', 'delete'],
    effect: 'read',
    unrepeatable: true,
    accepts: [ANY_BODY],
    responses: { 404: Type.String() },
    handle: async (call) => {
      const visitor = await visitorOf(call as SiteCall);
      return visitor.access === 'granted' ? notFoundAt(visitor.visit, call.type) : unauthorized(visitor, call.type);
    },
  }),
];
