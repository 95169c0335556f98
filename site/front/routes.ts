import { Type } from '@sinclair/typebox';
import { preferredLanguage } from '../../http/media/accept-language.ts';
import { HTML, JSON_TYPE } from '../../http/media/media-types.ts';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';
import { route, type Route } from '../route.ts';

/** The service's root. Clients that accept only JSON get the content as JSON. */
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
      // A page that was made private must not remain in caches.
      headers: { 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Language' },
      body: () =>
        type === JSON_TYPE
          ? frontDoor.summary(scope.read)
          : frontDoor.page(scope.read, preferredLanguage(sent.header('accept-language'), PAGE_LANGUAGES)),
    }),
  }),
];
