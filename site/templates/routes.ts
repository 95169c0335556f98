import { Type } from '@sinclair/typebox';
import { PAGE_TEMPLATES, picturePath } from '../../domain/page/templates.ts';
import { mediaType } from '../../http/media/media-types.ts';
import { ok } from '../../http/routes/route.ts';
import { route, type Route } from '../route.ts';
import { templatePicture } from './pictures.ts';

/**
 * The media type of pictures of templates. They are embeddable, because the API returns their URLs to clients of other
 * origins.
 */
const SVG = mediaType('image/svg+xml', { parameter: 'charset=utf-8', embeddable: true });

/** Routes of the pictures to which `GET /v1/pages/get-templates` refers. */
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
