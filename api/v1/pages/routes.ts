import { Type } from '@sinclair/typebox';
import { PAGE_TEMPLATES } from '../../../domain/page/templates.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { noContent, ok, route, type Route } from '../../route.ts';
import { text } from '../../schema.ts';
import { listPages, pageOfDomain, pageWithScore, visitedPageOfDomain } from '../../../queries/pages.ts';
import type { Scope } from '../../../queries/scope.ts';
import { findNamedPage, PageParams } from './params.ts';
import { presentPage, presentVisitedPage } from './present.ts';
import { NewPage, Page, PageChange, PageTemplate, VisitedPage } from './schema.ts';

const tag = 'Pages';
const byId = '/v1/pages/{page_id}';
const list = pagesOfStyleA({ key: 'pages', size: 20 });

/** The page as it is after what this request has done. */
const show = async (scope: Scope, pageId: string): Promise<Page> => presentPage(await pageWithScore(scope, pageId));

export const pageRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/pages',
    summary: 'The pages of the organization, by name',
    tag,
    access: { needs: 'pages.read' },
    query: Type.Object(list.query),
    answers: { 200: list.answer(Page) },
    handle: ({ query, scope }) => ok(() => list.body(query, (paging) => listPages(scope, paging), presentPage)),
  }),
  route({
    methods: ['post'],
    path: '/v1/pages',
    summary: 'Create a page',
    tag,
    access: { needs: 'pages.write' },
    body: NewPage,
    // The clients in use take only 200 (decisions.md: HTTP rules, 201).
    answers: { 200: Page },
    handle: async ({ body, context, commands, scope }) => {
      const id = await commands.pages.create(body, context);
      return { status: 200, location: `/v1/pages/${id}`, id, body: () => show(scope, id) };
    },
  }),
  route({
    methods: ['get'],
    path: '/v1/pages/get-templates',
    summary: 'The templates that a page can have',
    tag,
    access: { public: true },
    answers: { 200: Type.Array(PageTemplate) },
    handle: () => ok(() => PAGE_TEMPLATES),
  }),
  route({
    methods: ['get'],
    path: '/v1/pages/by-domain/{domain}',
    summary: 'The page of a custom domain or of a subdomain; without a key, as a visitor sees it',
    tag,
    access: { public: true },
    params: Type.Object({ domain: text(300, { min: 1 }) }),
    answers: { 200: Type.Union([Page, VisitedPage]) },
    handle: ({ params: { domain }, may, clientAddress, scope }) =>
      ok(async () =>
        may('pages.read')
          ? presentPage(await pageOfDomain(scope, domain))
          : presentVisitedPage(await visitedPageOfDomain(scope, domain, clientAddress)),
      ),
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'One page',
    tag,
    access: { needs: 'pages.read' },
    params: PageParams,
    answers: { 200: Page },
    handle: ({ params, scope }) => ok(() => show(scope, params.page_id)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change a page; fields that are absent stay',
    tag,
    access: { needs: 'pages.write' },
    params: PageParams,
    body: PageChange,
    answers: { 200: Page },
    find: findNamedPage,
    handle: async ({ params, body, context, commands, scope }) => {
      await commands.pages.update(params.page_id, body, context);
      return ok(() => show(scope, params.page_id));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete a page with its components, incidents and subscribers',
    tag,
    access: { needs: 'pages.write' },
    params: PageParams,
    answers: { 204: null },
    waitsFor: [pages.name],
    find: findNamedPage,
    handle: async ({ params, context, commands }) => {
      await commands.pages.remove(params.page_id, context);
      return noContent();
    },
  }),
];
