import { Type } from '@sinclair/typebox';
import { preferredLanguage } from '../../http/media/accept-language.ts';
import { HTML, JSON_TYPE } from '../../http/media/media-types.ts';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';
import { route, type Route } from '../route.ts';

/** Serves the front page at the service's root. Clients that accept only JSON get the content as JSON. */
export const frontRoutes: readonly Route[] = [
  route({
    methods: ['get'],
    path: '/',
    tag: 'Front page',
    summary: 'The front page of the service',
    access: { public: { tenant: null } },
    produces: [HTML, JSON_TYPE],
    responses: { 200: Type.Unknown() },
    handle: ({ frontDoor, scope, sent, type }) => ({
      status: 200,
      // Caches must revalidate, so that a status page that was made private is no longer listed.
      headers: { 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Language' },
      body: () =>
        type === JSON_TYPE
          ? frontDoor.summary(scope.read)
          : frontDoor.page(scope.read, preferredLanguage(sent.header('accept-language'), PAGE_LANGUAGES)),
    }),
  }),
];
