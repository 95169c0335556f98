import { Type } from '@sinclair/typebox';
import { Invalid } from '../../domain/errors.ts';
import { compressResponse } from '../../http/media/compression.ts';
import { mediaType } from '../../http/media/media-types.ts';
import { isOpenToEveryone } from '../../domain/page/access.ts';
import { cachingOf } from '../pages/cache/caching.ts';
import { PAGE_PATH, pageRoute } from '../pages/page-route.ts';
import { route, type Route } from '../route.ts';
import { CUSTOM_PATH, customStylesheet } from './custom/custom-rules.ts';
import { readTheme } from '../../views/themes/theme.ts';
import { THEME_PATH, themeStylesheet } from './theme-stylesheet.ts';

const CSS = mediaType('text/css', { parameter: 'charset=utf-8' });
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Caching header for a URL whose version is not the current one, for example a URL from an earlier release. */
const SHORTLY = 'public, max-age=60';

const Version = Type.Optional(Type.String());

/** Routes of the stylesheets with the colours and the custom rules of status pages. */
export const themeRoutes: readonly Route[] = [
  // The stylesheet contains only the colours in its URL, so it is public.
  route({
    methods: ['get'],
    path: `${PAGE_PATH}${THEME_PATH}`,
    tag: 'Status pages',
    summary: 'The colours of a status page, as its address names them',
    access: { public: { tenant: null } },
    params: Type.Object({ subdomain: Type.String() }),
    query: Type.Object({ colors: Type.String({ maxLength: 200 }), v: Version }),
    anyHeaders: true,
    produces: [CSS],
    responses: { 200: Type.String() },
    handle: ({ query: { colors, v }, sent }) => {
      const theme = readTheme(colors);
      if (!theme)
        throw new Invalid({
          query: { colors: ['Must be 17 colours, each of six digits or none, with hyphens between.'] },
        });
      const { css, version } = themeStylesheet(theme);
      const headers = { 'Cache-Control': v === version ? FOR_EVER : SHORTLY };
      return compressResponse({ status: 200, headers, body: () => css }, sent);
    },
  }),
  pageRoute({
    path: CUSTOM_PATH,
    summary: 'The custom rules of a status page',
    query: Type.Object({ v: Version }),
    produces: [CSS],
    anyHeaders: true,
    answer: (visit, { query: { v } }) => {
      const found = customStylesheet(visit.page);
      const isForEver = found !== null && v === found.version && isOpenToEveryone(visit.page);
      const headers = isForEver
        ? { 'Cache-Control': FOR_EVER }
        : { 'Cache-Control': cachingOf(visit)['Cache-Control'], Vary: 'Cookie' };
      return compressResponse({ status: 200, headers, body: () => found?.css ?? '' }, visit.sent);
    },
  }),
];
