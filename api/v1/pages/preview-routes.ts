import { Type } from '@sinclair/typebox';
import { ok, route, type Route } from '../../route.ts';
import { namedSchema } from '../../schema.ts';
import { findPageInPath, PageParams } from './params.ts';
import { PageChange } from './schema.ts';

const PagePreview = namedSchema(
  'PagePreview',
  Type.Object({
    html: Type.String({
      description: 'The start page in its language, without scripts and with inline styles.',
    }),
  }),
);

export const pagePreviewRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/pages/{page_id}/preview',
    summary: 'Preview a page with other settings',
    description: 'Absent fields keep their current values. Nothing is stored.',
    tag: 'Pages',
    access: { needs: 'pages.read' },
    effect: 'read',
    confidential: true,
    heavy: true,
    params: PageParams,
    body: PageChange,
    responses: { 200: PagePreview },
    find: findPageInPath,
    handle: async ({ found: page, body, scope, previewPage }) => {
      const html = await previewPage(scope, page, body);
      return ok(() => ({ html }));
    },
  }),
];
