import { Type } from '@sinclair/typebox';
import { negotiateEncoding } from '../../http/media/accept-encoding.ts';
import { HTML, JSON_TYPE, PNG } from '../../http/media/media-types.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import type { SentRequest } from '../../http/routes/sent-request.ts';
import { route, type Route } from '../route.ts';
import type { Reference } from './reference.ts';
import { LONGEST_QUERY } from './search.ts';

const tag = 'Documentation';
const access = { public: { tenant: null } } as const;

/** Time for which caches may serve a page without revalidation, in seconds. Pages change only with a release. */
const MAX_AGE_SECONDS = 600;

/** Redirects to the URL without a trailing slash, because the pages' links are relative. */
const withoutSlash = ({ path, search }: SentRequest): RouteResponse | null => {
  if (!path.endsWith('/')) return null;
  const name = path.replace(/\/+$/, '');
  return { status: 308, headers: { Location: `../${name.slice(name.lastIndexOf('/') + 1)}${search}` } };
};

const missing = (reference: Reference, depth: number): RouteResponse => ({
  status: 404,
  type: HTML,
  body: () => reference.missingPage(depth),
});

const page = async (reference: Reference, name: string, sent: SentRequest): Promise<RouteResponse> => {
  const moved = withoutSlash(sent);
  if (moved) return moved;
  const found = await reference.page(name);
  if (!found) return missing(reference, name.split('/').length);
  const encoding = negotiateEncoding(sent.header('accept-encoding'));
  return {
    status: 200,
    type: HTML,
    headers: {
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
    },
    tag: `"${found.tag}${encoding ? `-${encoding}` : ''}"`,
    body: () => found.bytes(encoding),
  };
};

/** Redirects the path of a document's file to its page: `/docs/operate/install.md` → `/docs/operate/install`. */
const withoutSuffix = async (reference: Reference, path: string): Promise<RouteResponse | null> => {
  const name = path.replace(/(?<=.)\/index\.md$|\.md$/, '');
  if (name === path || !(await reference.page(name))) return null;
  const last = name.slice(name.lastIndexOf('/') + 1);
  return { status: 308, headers: { Location: path.endsWith('/index.md') ? `../${last}` : last } };
};

const picture = async (reference: Reference, path: string): Promise<RouteResponse> => {
  const found = await reference.picture(path);
  if (!found) return missing(reference, path.split('/').length);
  return {
    status: 200,
    type: PNG,
    headers: { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` },
    tag: `"${found.tag}"`,
    body: () => found.bytes,
  };
};

/**
 * Responds with a topic, a document or a picture. Paths are only looked up in a list of known names, so no request can
 * reach any other file.
 */
const listed = async (reference: Reference, segments: readonly string[], sent: SentRequest): Promise<RouteResponse> => {
  // A slash that the client sent as %2F is part of a segment. The relative links of the page would be wrong at such a
  // URL.
  if (segments.some((segment) => segment.includes('/'))) return missing(reference, segments.length);
  const path = segments.join('/');
  if (path.endsWith('.png')) return picture(reference, path);
  return (await withoutSuffix(reference, path)) ?? page(reference, path, sent);
};

/** The API documentation and the documents of the package. */
export const docsRoutes: readonly Route[] = [
  route({
    methods: ['get'],
    path: '/docs',
    tag,
    summary: 'The API documentation',
    access,
    produces: [HTML],
    responses: { 200: Type.String() },
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
    responses: { 200: Type.Unknown() },
    handle: ({ reference, sent, query: { q = '' }, type }) => {
      const terms = q.slice(0, LONGEST_QUERY).trim();
      return (
        withoutSlash(sent) ?? {
          status: 200,
          body: async () =>
            type === JSON_TYPE ? { hits: await reference.search(terms) } : reference.searchPage(terms),
        }
      );
    },
  }),
  route({
    methods: ['get'],
    path: '/docs/{topic}',
    tag,
    summary: 'A topic of the API documentation, or a folder of documents',
    access,
    params: Type.Object({ topic: Type.String() }),
    produces: [HTML, PNG],
    responses: { 200: Type.String() },
    handle: ({ reference, sent, params }) => listed(reference, [params.topic], sent),
  }),
  route({
    methods: ['get'],
    path: '/docs/{folder}/{document}',
    tag,
    summary: 'A document, or a picture of one',
    access,
    params: Type.Object({ folder: Type.String(), document: Type.String() }),
    produces: [HTML, PNG],
    responses: { 200: Type.String() },
    handle: ({ reference, sent, params: { folder, document } }) => listed(reference, [folder, document], sent),
  }),
  route({
    methods: ['get'],
    path: '/docs/{folder}/{subfolder}/{document}',
    tag,
    summary: 'A document of a folder within another one, or a picture',
    access,
    params: Type.Object({ folder: Type.String(), subfolder: Type.String(), document: Type.String() }),
    produces: [HTML, PNG],
    responses: { 200: Type.String() },
    handle: ({ reference, sent, params: { folder, subfolder, document } }) =>
      listed(reference, [folder, subfolder, document], sent),
  }),
];
