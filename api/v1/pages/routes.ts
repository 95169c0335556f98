import { Type } from '@sinclair/typebox';
import type { CommandContext } from '../../../commands/context.ts';
import { NotFound } from '../../../domain/errors.ts';
import { isDomain, normalizedDomain, normalizedSubdomain } from '../../../domain/page/names.ts';
import { isPublicTo } from '../../../domain/page/visitors.ts';
import { PAGE_TEMPLATES } from '../../../domain/page/templates.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { pages } from '../../../projections/pages/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { presenting } from '../../present.ts';
import { noContent, ok, route, type Route } from '../../route.ts';
import { text } from '../../schema.ts';
import { activityScore } from '../../../queries/activity-score.ts';
import { findPage, isShown, PageParams } from './find-page.ts';
import { NewPage, Page, PageChange, PageTemplate, VisitedPage } from './schema.ts';

const tag = 'Pages';
const byId = '/v1/pages/{page_id}';
const list = pagesOfStyleA({ key: 'pages', size: 20 });
const shown = presenting(Page, ['activity_score']);
const shownToVisitors = presenting(VisitedPage);

interface Reading {
  context: CommandContext;
  read: Read;
}

const present =
  ({ context, read }: Reading) =>
  async (page: PageDocument): Promise<Page> =>
    shown(page, { activity_score: await activityScore(read, page.id, context.now) });

/** The page as it is after what this request has done. */
const presentById = async (pageId: string, { context, read }: Reading): Promise<Page> =>
  present({ context, read })(await findPage({ params: { page_id: pageId }, context, read }));

/** The page of a custom domain, or else of a subdomain, that a caller sees. @throws NotFound */
const findByDomain = async (
  domain: string,
  { read }: Pick<Reading, 'read'>,
  sees: (page: PageDocument) => boolean,
): Promise<PageDocument> => {
  const { pages: all } = read(pages);
  const named = [
    ...(isDomain(domain) ? await all.find({ where: { domain_key: normalizedDomain(domain), deleted_at: null } }) : []),
    ...(await all.find({ where: { subdomain: normalizedSubdomain(domain), deleted_at: null } })),
  ];
  const page = named.find(sees);
  if (!page) throw new NotFound('There is no page of that domain.');
  return page;
};

export const pageRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/pages',
    summary: 'The pages of the organization, by name',
    tag,
    access: { needs: 'pages.read' },
    query: Type.Object(list.query),
    answers: { 200: list.answer(Page) },
    handle: ({ query, context, read }) =>
      ok(() =>
        list.body(
          read(pages).pages,
          { where: { organization_id: context.organizationId, deleted_at: null }, sort: { name: 1 } },
          query,
          present({ context, read }),
        ),
      ),
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
    handle: async ({ body, context, commands, read }) => {
      const id = await commands.pages.create(body, context);
      return { status: 200, location: `/v1/pages/${id}`, id, body: () => presentById(id, { context, read }) };
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
    handle: ({ params: { domain }, may, clientAddress, ...reading }) =>
      ok(async () => {
        const show = present(reading);
        if (may('pages.read'))
          return show(await findByDomain(domain, reading, (page) => isShown(page, reading.context)));
        const visited = await findByDomain(domain, reading, (page) => isPublicTo(page, clientAddress));
        return shownToVisitors(await show(visited));
      }),
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'One page',
    tag,
    access: { needs: 'pages.read' },
    params: PageParams,
    answers: { 200: Page },
    handle: ({ params, context, read }) => ok(() => presentById(params.page_id, { context, read })),
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
    find: findPage,
    handle: async ({ params, body, context, commands, read }) => {
      await commands.pages.update(params.page_id, body, context);
      return ok(() => presentById(params.page_id, { context, read }));
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
    find: findPage,
    handle: async ({ params, context, commands }) => {
      await commands.pages.remove(params.page_id, context);
      return noContent();
    },
  }),
];
