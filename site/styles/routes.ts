import { Type } from '@sinclair/typebox';
import { Invalid } from '../../domain/errors.ts';
import { mediaType } from '../../http/media/media-types.ts';
import { ok } from '../../http/routes/route.ts';
import { route, type Route } from '../route.ts';
import { NO_COLORS, readColors } from './palette.ts';
import { COLORS_PATH, colorsStylesheet, stylesheet, STYLESHEET_PATH } from './stylesheet.ts';

const CSS = mediaType('text/css', { parameter: 'charset=utf-8' });

const SHEETS = [
  { path: STYLESHEET_PATH, summary: 'The stylesheet of pages', of: stylesheet },
  { path: COLORS_PATH, summary: 'The colours of a page', of: colorsStylesheet },
];

/**
 * Routes of the site's stylesheets. Their URLs contain the colours of a page, because pages can't have inline styles.
 */
export const styleRoutes: readonly Route[] = SHEETS.map(({ path, summary, of }) =>
  route({
    methods: ['get'],
    path,
    tag: 'Styles',
    summary,
    access: { public: { tenant: null } },
    query: Type.Object({ colors: Type.Optional(Type.String({ maxLength: 50 })) }),
    produces: [CSS],
    responses: { 200: Type.String() },
    handle: ({ query: { colors } }) => {
      const read = colors === undefined ? NO_COLORS : readColors(colors);
      if (!read)
        throw new Invalid({
          query: { colors: ['Must be six colours, each of six digits or none, with hyphens between.'] },
        });
      return { ...ok(() => of(read)), headers: { 'Cache-Control': 'public, max-age=31536000, immutable' } };
    },
  }),
);
