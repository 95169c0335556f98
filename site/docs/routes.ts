import { Type } from '@sinclair/typebox';
import { encodingOf } from '../../http/media/encoding.ts';
import { HTML, JSON_TYPE } from '../../http/media/types.ts';
import type { Answer } from '../../http/routes/route.ts';
import type { SentRequest } from '../../http/routes/sent-request.ts';
import { route, type Route } from '../route.ts';
import type { Reference } from './reference.ts';
import { LONGEST_QUERY } from './search.ts';

const tag = 'Documentation';
const access = { public: { tenant: null } } as const;

/** How long caches may show a page without asking, seconds: releases change it. */
const KEPT_FOR = 600;

/** Links of the pages are relative, so each has one address: without a slash at its end. */
const withoutSlash = ({ path, search }: SentRequest): Answer | null => {
  if (!path.endsWith('/')) return null;
  const name = path.replace(/\/+$/, '');
  return { status: 308, headers: { Location: `../${name.slice(name.lastIndexOf('/') + 1)}${search}` } };
};

const page = async (reference: Reference, name: string, sent: SentRequest): Promise<Answer> => {
  const moved = withoutSlash(sent);
  if (moved) return moved;
  const found = await reference.page(name);
  if (!found) return { status: 404, body: () => reference.missingPage() };
  const encoding = encodingOf(sent.header('accept-encoding'));
  return {
    status: 200,
    headers: {
      'Cache-Control': `public, max-age=${KEPT_FOR.toString()}`,
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
    },
    tag: `"${found.tag}${encoding ? `-${encoding}` : ''}"`,
    body: () => found.bytes(encoding),
  };
};

/** The API documentation. */
export const docsRoutes: readonly Route[] = [
  route({
    methods: ['get'],
    path: '/docs',
    tag,
    summary: 'The API documentation',
    access,
    produces: [HTML],
    answers: { 200: Type.String() },
    handle: ({ reference, sent }) => page(reference, '', sent),
  }),
  route({
    methods: ['get'],
    path: '/docs/search',
    tag,
    summary: 'Search in the API documentation',
    access,
    query: Type.Object({ q: Type.Optional(Type.String()) }),
    produces: [HTML, JSON_TYPE],
    answers: { 200: Type.Unknown() },
    handle: ({ reference, sent, query: { q = '' }, type }) => {
      const asked = q.slice(0, LONGEST_QUERY).trim();
      return (
        withoutSlash(sent) ?? {
          status: 200,
          body: async () =>
            type === JSON_TYPE ? { hits: await reference.search(asked) } : reference.searchPage(asked),
        }
      );
    },
  }),
  route({
    methods: ['get'],
    path: '/docs/{topic}',
    tag,
    summary: 'A topic of the API documentation',
    access,
    params: Type.Object({ topic: Type.String() }),
    produces: [HTML],
    answers: { 200: Type.String() },
    handle: ({ reference, sent, params }) => page(reference, params.topic, sent),
  }),
];
