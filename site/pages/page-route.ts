import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { NotFound } from '../../domain/errors.ts';
import { publicAddress } from '../../domain/page/public-address.ts';
import type { MediaType } from '../../http/media/media-types.ts';
import { addressLimitKey } from '../../http/routes/caller.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import { tenantOfSubdomain } from '../../queries/organizations/tenants.ts';
import { route, type Route } from '../route.ts';
import { NOINDEX, notFoundAt, unauthorized } from './error-responses.ts';
import { pageSecurity } from './security.ts';
import { visitAt } from './past/past-visit.ts';
import { visitorOf, type PageVisit, type SiteCall } from './visit.ts';

export type { PageVisit } from './visit.ts';

type Params = Readonly<Record<string, string>>;

interface Declaration<Q extends TSchema> {
  /** path below the page's root: `/incidents/{incident_id}` */
  path: string;
  summary: string;
  produces: readonly [MediaType, ...MediaType[]];
  query?: Q;
  /**
   * whether the response is expensive (http/routes/route.ts). Each client address can request only a limited number of
   * expensive responses per minute
   */
  heavy?: boolean;
  /** whether the route ignores the media type headers of requests (http/routes/route.ts) */
  anyHeaders?: boolean;
  /** whether scripts of other origins are allowed to send requests to the route (http/routes/route.ts) */
  crossOrigin?: boolean;
  /** whether the route also shows past states of the page: `?at=2026-11-20T15:04:05Z` */
  asOf?: boolean;
  /** @throws NotFound */
  answer: (
    visit: PageVisit,
    input: { params: Params; query: Static<Q> },
    call: Pick<SiteCall, 'commands' | 'limits' | 'clientAddress'>,
  ) => Promise<RouteResponse> | RouteResponse;
}

const parametersOf = (path: string): TObject =>
  Type.Object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, Type.String()])));

/** Prefix of the paths of a page. On the page's own host, paths do not have it (http/hosts/page-hosts.ts). */
export const PAGE_PATH = '/status/{subdomain}';

/** Returns the properties that all routes below a page's root share. */
export const belowRoot = (path: string) => ({
  path: `${PAGE_PATH}${path}`,
  tag: 'Status pages',
  access: {
    public: {
      tenant: (params: object, visit: Parameters<typeof tenantOfSubdomain>[1]) =>
        tenantOfSubdomain(params as { subdomain: string }, visit),
    },
  },
  params: parametersOf(`${PAGE_PATH}${path}`),
});

/**
 * Responds to a visitor of a page after checking access, in the same way for all routes of a page. The response is 404
 * if the page is hidden from the visitor, and 401 if the visitor must authenticate first. Both error responses have the
 * format of the route. Shared caches never store content with restricted access.
 */
export const forVisitor = async (
  call: SiteCall,
  answer: (visit: PageVisit) => Promise<RouteResponse> | RouteResponse,
): Promise<RouteResponse> => {
  const visitor = await visitorOf(call);
  const { visit, access } = visitor;
  const elsewhere = domainRedirect(visit);
  if (elsewhere) return elsewhere;
  if (access !== 'granted') return unauthorized(visitor, call.type);
  try {
    return withAccessHeaders(visit, await answer(visit), call.type);
  } catch (error) {
    if (error instanceof NotFound) return notFoundAt(visit, call.type);
    throw error;
  }
};

/** Declares a route below the root of a status page, for visitors with access ({@link forVisitor}). */
export const pageRoute = <Q extends TSchema = TObject>({
  path,
  query,
  asOf = false,
  answer,
  ...declared
}: Declaration<Q>): Route =>
  route({
    ...declared,
    ...belowRoot(path),
    methods: ['get'],
    ...((query ?? asOf) && { query: asOf ? withMoment(query) : query }),
    responses: { 200: Type.String() },
    handle: (call) => {
      if (declared.heavy) call.limits.heavy(addressLimitKey(call.clientAddress ?? undefined));
      const own = Object.fromEntries(Object.entries(call.params as Params).filter(([name]) => name !== 'subdomain'));
      const { at, ...others } = (call.query ?? {}) as { at?: string };
      const input = { params: own, query: others as Static<Q> };
      const sent = call as SiteCall;
      if (at === undefined) return forVisitor(sent, (visit) => answer(visit, input, sent));
      return forVisitor(sent, async (visit) => asPastState(await answer(await visitAt(visit, at, sent), input, sent)));
    },
  });

const withMoment = (query: TSchema | undefined): TObject => {
  const { properties = {}, ...options } = (query ?? {}) as Partial<TObject>;
  return Type.Object({ ...properties, at: Type.Optional(Type.String()) }, options);
};

/** Adds a header so that search engines do not index past states. */
const asPastState = (response: RouteResponse): RouteResponse => ({
  ...response,
  headers: { ...response.headers, ...NOINDEX },
});

/**
 * Redirects from the subdomain's host to the custom domain, with path and query, if the page is configured to redirect.
 */
const domainRedirect = ({ page, places, sent }: PageVisit): RouteResponse | null => {
  if (sent.hostedPage?.by !== 'subdomain' || !page.redirect_to_domain || page.domain === null) return null;
  const location = `${publicAddress(page, places)}${sent.path.startsWith('/') ? '' : '/'}${sent.path}${sent.search}`;
  // Without this header, browsers would cache a 308 redirect permanently, even after the page has stopped redirecting.
  return { status: 308, location, headers: { 'Cache-Control': 'no-cache' } };
};

/** Adds to a response the headers that depend on the visibility of the page. */
const withAccessHeaders = (visit: PageVisit, answer: RouteResponse, type: MediaType): RouteResponse => {
  const { page, isPublic } = visit;
  const headers: Record<string, string> = { ...answer.headers };
  if (page.hidden_from_search || !isPublic) headers['X-Robots-Tag'] ??= NOINDEX['X-Robots-Tag'];
  if (!isPublic) {
    const kept = headers['Cache-Control'] ?? '';
    headers['Cache-Control'] = kept.includes('no-store') ? 'private, no-store' : 'private, no-cache';
    // With `Access-Control-Allow-Origin`, any site could read the page through the browser of a visitor with an allowed
    // IP address.
    if (page.ip_restrictions !== null) delete headers['Access-Control-Allow-Origin'];
  }
  const security =
    (answer.type ?? type).name === 'text/html' ? (answer.security ?? pageSecurity(page)) : answer.security;
  return { ...answer, headers, ...(security && { security }) };
};
