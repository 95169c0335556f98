import { Type } from '@sinclair/typebox';
import { createPage, deletePage, updatePage } from '../../../commands/pages/pages.ts';
import { PAGE_TEMPLATES, picturePath } from '../../../domain/page/templates.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { resource } from '../../resource.ts';
import { ok, route, type Route } from '../../route.ts';
import { text } from '../../schema.ts';
import { listPages, pageOfDomain, showPage, visitedPageOfDomain } from '../../../queries/pages/pages.ts';
import { tenantOfDomain } from '../../../queries/organizations/tenants.ts';
import { findPageInPath } from './params.ts';
import { presentPage, presentVisitedPage } from './present.ts';
import { NewPage, Page, PageChange, PageTemplate, VisitedPage } from './schema.ts';

const tag = 'Pages';

const templates = route({
  methods: ['get'],
  path: '/v1/pages/get-templates',
  summary: 'List page templates',
  tag,
  access: { public: { tenant: null, key: 'optional' } },
  responses: { 200: Type.Array(PageTemplate) },
  handle: ({ addressOf }) =>
    ok(() => PAGE_TEMPLATES.map((template) => ({ ...template, picture: addressOf(picturePath(template)) }))),
});

const byDomain = route({
  methods: ['get'],
  path: '/v1/pages/by-domain/{domain}',
  summary: 'Get the page of a domain',
  description:
    'The domain is a custom domain or a subdomain. Without a key, or with a page token, the response shows what a ' +
    'visitor sees.',
  tag,
  access: { public: { tenant: tenantOfDomain, key: 'optional' } },
  params: Type.Object({ domain: text(300, { min: 1 }) }),
  responses: { 200: Type.Union([Page, VisitedPage]) },
  handle: ({ params: { domain }, may, clientAddress, credential, mac, scope }) =>
    ok(async () => {
      if (may('pages.read')) return presentPage(await pageOfDomain(scope, domain));
      const { read, now } = scope;
      return presentVisitedPage(await visitedPageOfDomain({ read, now, clientAddress, credential, mac }, domain));
    }),
});

export const pageRoutes: Route[] = resource({
  path: '/v1/pages',
  id: 'page_id',
  tag,
  noun: 'page',
  needs: { read: 'pages.read', write: 'pages.write' },
  revised: ({ page_id }) => revisedIn('page', page_id),
  find: findPageInPath,
  show: ({ params, scope }) => showPage(scope, params.page_id),
  schema: Page,
  present: presentPage,
  list: {
    summary: 'List pages',
    description: 'The list is sorted by name.',
    style: pagesOfStyleA({ key: 'pages', size: 20 }),
    filters: {
      include_status: Type.Boolean({ description: 'Whether each page has `worst_status`.', default: false }),
    },
    ask: ({ scope, query }, paging) => listPages(scope, paging, query.include_status),
  },
  furtherRoutes: [templates, byDomain],
  create: {
    body: NewPage,
    // Existing clients accept only 200 (docs/reference/requests.md#creation).
    status: 200,
    ask: ({ body, context, commands }) => commands.bind(createPage)(body, context),
  },
  change: {
    body: PageChange,
    ask: ({ params, body, context, commands }) => commands.bind(updatePage)(params.page_id, body, context),
  },
  remove: {
    description: 'The components, incidents and subscribers of the page are deleted too.',
    waitsFor: [pages.name],
    ask: ({ params, context, commands }) => commands.bind(deletePage)(params.page_id, context),
  },
});
