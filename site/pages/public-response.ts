import { publicAddress } from '../../domain/page/public-address.ts';
import { isOpenToEveryone, isReachable } from '../../domain/page/access.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { negotiateEncoding } from '../../http/media/accept-encoding.ts';
import { ANY_ORIGIN } from '../../http/routes/cross-origin.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import type { Rendered } from './cache/rendered-pages.ts';
import type { PageVisit } from './page-route.ts';

/**
 * Caching header for a public page's data for programs. Statuspage sends the same header. `CLIENT_CACHING`: header for
 * pages with restricted access, which shared caches must never store.
 */
const SHARED_CACHING = 'max-age=10, public, s-maxage=10, stale-while-revalidate=20, stale-if-error=3600';
const CLIENT_CACHING = 'private, no-cache';

/**
 * Returns the headers of a page's data for programs. Scripts of other origins may read public pages. They may also read
 * pages with a password, because a script must know the password. They must not read pages whose access depends on the
 * visitor's IP address or session, because every script in the visitor's browser uses that IP address and session.
 */
const headersOf = ({ page }: Pick<PageVisit, 'page'>): Record<string, string> => ({
  Vary: 'Accept-Encoding',
  'Cache-Control': isOpenToEveryone(page) ? SHARED_CACHING : CLIENT_CACHING,
  ...(isReachable(page, null) && ANY_ORIGIN),
  ...(isReachable(page, null) && { 'Access-Control-Expose-Headers': 'ETag' }),
  ...(page.hidden_from_search && { 'X-Robots-Tag': 'noindex' }),
});

/**
 * Time after a change during which the response has no `Last-Modified` header, in milliseconds. The text may change
 * again within the same second, so the time of the change is not a strong validator yet (RFC 9110, 8.8.2.2).
 */
const UNSETTLED = 2_000;

/**
 * Times of the latest change of rendered texts. Each key is the function that returns the compressed body of a text. If
 * a text is rendered again without a change, it has the same function, and so the same time.
 */
const changeTimes = new WeakMap<Rendered['body'], Instant>();

/** A text about a page for programs. */
export interface PublicText {
  text: string;
  /** time of the latest change; absent: the response has no `Last-Modified` */
  changedAt?: Instant;
}

/**
 * Returns a response with a text about a page for programs. The text is the same for all visitors, and has an `ETag`.
 * It is cached in compressed form until the page's content changes (cache/rendered-pages.ts).
 *
 * @param key identifies the text among those of the page
 * @param make creates the text. The text must depend only on the page. If this throws NotFound, nothing is cached
 */
export const publicResponse = async (
  visit: Pick<PageVisit, 'page' | 'sent' | 'scope' | 'rendered' | 'countedAs'>,
  key: string,
  make: () => Promise<PublicText> | PublicText,
): Promise<RouteResponse> => {
  const { page, sent, scope, rendered, countedAs } = visit;
  let changedAt: Instant | undefined;
  const text = async (): Promise<string> => {
    const made = await make();
    changedAt = made.changedAt;
    return made.text;
  };
  const { tag, body } = await rendered.of(page, `for programs: ${key}`, text, countedAs);
  if (changedAt !== undefined) changeTimes.set(body, changedAt);
  const headers = headersOf(visit);
  const known = changeTimes.get(body);
  const changed = known === undefined ? null : Math.floor(millisecondsOf(known) / 1_000) * 1_000;
  if (changed !== null && changed < millisecondsOf(scope.now) - UNSETTLED) {
    headers['Last-Modified'] = new Date(changed).toUTCString();
    if (isUnmodified(visit, changed)) return { status: 304, headers: { ...headers, ETag: tag } };
  }
  const { bytes, encoding } = await body(negotiateEncoding(sent.header('accept-encoding')));
  if (encoding !== null) headers['Content-Encoding'] = encoding;
  return { status: 200, headers, tag, body: () => bytes };
};

/**
 * Returns whether the client already has the text, according to `If-Modified-Since`. The header is ignored if the
 * request has `If-None-Match` (RFC 9110, 13.1.3).
 */
const isUnmodified = ({ sent }: Pick<PageVisit, 'sent'>, changed: number): boolean => {
  if (sent.header('if-none-match') !== undefined) return false;
  const since = Date.parse(sent.header('if-modified-since') ?? '');
  return since >= changed;
};

/**
 * Returns the absolute URL of a page's root, without a trailing slash. Feeds need an absolute URL, so this returns one
 * even if PUBLIC_URL is not set.
 */
export const absoluteRoot = ({ page, places }: Pick<PageVisit, 'page' | 'places'>): string => {
  const address = publicAddress(page, places);
  return address.startsWith('/') ? `http://localhost${address}` : address;
};
