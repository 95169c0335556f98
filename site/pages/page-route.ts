import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { NotFound } from '../../domain/errors.ts';
import { publicAddress } from '../../domain/page/public-address.ts';
import type { MediaType } from '../../http/media/types.ts';
import { addressCountedAs } from '../../http/routes/caller.ts';
import type { Answer } from '../../http/routes/route.ts';
import { tenantOfSubdomain } from '../../queries/organizations/tenants.ts';
import { route, type Route } from '../route.ts';
import { NOINDEX, notFoundAt, unauthorized } from './refusals.ts';
import { pageSecurity } from './security.ts';
import { visitorOf, type PageVisit, type SiteCall } from './visit.ts';

export type { PageVisit } from './visit.ts';

type Params = Readonly<Record<string, string>>;

interface Declaration<Q extends TSchema> {
  /** below the page's root: `/incidents/{incident_id}` */
  path: string;
  summary: string;
  produces: readonly [MediaType, ...MediaType[]];
  query?: Q;
  /** whether it takes long (http/routes/route.ts): an address has few of them a minute, too */
  heavy?: boolean;
  /** whether it is answered whatever the request says about media types (http/routes/route.ts) */
  anyHeaders?: boolean;
  /** whether scripts of other origins may send it (http/routes/route.ts) */
  crossOrigin?: boolean;
  /** @throws NotFound */
  answer: (
    visit: PageVisit,
    asked: { params: Params; query: Static<Q> },
    call: Pick<SiteCall, 'commands' | 'limits' | 'clientAddress'>,
  ) => Promise<Answer> | Answer;
}

const parametersOf = (path: string): TObject =>
  Type.Object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, Type.String()])));

/** What stands before the paths of a page on every host; on the page's own host there is nothing (http/hosts/page-hosts.ts). */
export const PAGE_PATH = '/status/{subdomain}';

/** What all routes below the root of a page have in common. */
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
 * Answers a visitor of a page. Who may see the page is checked here, the same for everything that a page serves: 404 to
 * those from whom it is hidden, 401 to those who have to show something first, each in the format of the route. What
 * not everybody may see is kept by no shared cache.
 */
export const forVisitor = async (
  call: SiteCall,
  answer: (visit: PageVisit) => Promise<Answer> | Answer,
): Promise<Answer> => {
  const visitor = await visitorOf(call);
  const { visit, access } = visitor;
  const elsewhere = redirected(visit);
  if (elsewhere) return elsewhere;
  if (access !== 'granted') return unauthorized(visitor, call.type);
  try {
    return guarded(visit, await answer(visit), call.type);
  } catch (error) {
    if (error instanceof NotFound) return notFoundAt(visit, call.type);
    throw error;
  }
};

/** A route below the root of a status page, for visitors who may see it ({@link forVisitor}). */
export const pageRoute = <Q extends TSchema = TObject>({ path, query, answer, ...declared }: Declaration<Q>): Route =>
  route({
    ...declared,
    ...belowRoot(path),
    methods: ['get'],
    ...(query && { query }),
    answers: { 200: Type.String() },
    handle: (call) => {
      if (declared.heavy) call.limits.heavy(addressCountedAs(call.clientAddress ?? undefined));
      const own = Object.fromEntries(Object.entries(call.params as Params).filter(([name]) => name !== 'subdomain'));
      const asked = { params: own, query: (call.query ?? {}) as Static<Q> };
      const sent = call as SiteCall;
      return forVisitor(sent, (visit) => answer(visit, asked, sent));
    },
  });

/** From the host of the subdomain to the custom domain, where the page wants that, with path and query. */
const redirected = ({ page, places, sent }: PageVisit): Answer | null => {
  if (sent.hostedPage?.by !== 'subdomain' || !page.redirect_to_domain || page.domain === null) return null;
  const location = `${publicAddress(page, places)}${sent.path.startsWith('/') ? '' : '/'}${sent.path}${sent.search}`;
  // Browsers would keep it for good; the page may end it.
  return { status: 308, location, headers: { 'Cache-Control': 'no-cache' } };
};

/** An answer with what follows from the visibility of its page. */
const guarded = (visit: PageVisit, answer: Answer, type: MediaType): Answer => {
  const { page, isPublic } = visit;
  const headers: Record<string, string> = { ...answer.headers };
  if (page.hidden_from_search || !isPublic) headers['X-Robots-Tag'] ??= NOINDEX['X-Robots-Tag'];
  if (!isPublic) {
    const kept = headers['Cache-Control'] ?? '';
    headers['Cache-Control'] = kept.includes('no-store') ? 'private, no-store' : 'private, no-cache';
    // Any site could otherwise read, in the browser of somebody at the right address, what is hidden from itself.
    if (page.ip_restrictions !== null) delete headers['Access-Control-Allow-Origin'];
  }
  const security =
    (answer.type ?? type).name === 'text/html' ? (answer.security ?? pageSecurity(page)) : answer.security;
  return { ...answer, headers, ...(security && { security }) };
};
