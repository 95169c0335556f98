import { Type } from '@sinclair/typebox';
import { PAGE_TEMPLATES, picturePath } from '../../domain/page/templates.ts';
import { mediaType } from '../../http/media/media-types.ts';
import { ok } from '../../http/routes/route.ts';
import { route, type Route } from '../route.ts';
import { templatePicture } from './pictures.ts';

/** Consoles of other origins show the pictures, whose URLs the API returns. */
const SVG = mediaType('image/svg+xml', { parameter: 'charset=utf-8', embeddable: true });

/** The pictures of templates that `GET /v1/pages/get-templates` names. */
export const templateRoutes: readonly Route[] = PAGE_TEMPLATES.map((template) =>
  route({
    methods: ['get'],
    path: picturePath(template),
    tag: 'Templates',
    summary: `A picture of the template ${template.name}`,
    access: { public: { tenant: null } },
    produces: [SVG],
    responses: { 200: Type.String() },
    handle: () => ({ ...ok(() => templatePicture(template)), headers: { 'Cache-Control': 'public, max-age=86400' } }),
  }),
);
