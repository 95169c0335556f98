import { publicAddress } from '../../domain/page/public-address.ts';
import { isOpenToEveryone, isReachable } from '../../domain/page/access.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { negotiateEncoding } from '../../http/media/accept-encoding.ts';
import { ANY_ORIGIN } from '../../http/routes/cross-origin.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import type { Rendered } from './cache/rendered-pages.ts';
import type { PageVisit } from './page-route.ts';

/**
 * Caching of a public page's data for programs, as on Statuspage. A page with restricted access is never stored in
 * shared caches.
 */
const SHARED_CACHING = 'max-age=10, public, s-maxage=10, stale-while-revalidate=20, stale-if-error=3600';
const CLIENT_CACHING = 'private, no-cache';

/**
 * Headers of a page's data for programs. Scripts of other origins may read it unless access depends on the visitor's
 * address or session: every script has those of its visitor, but no password unless it was given one.
 */
const headersOf = ({ page }: Pick<PageVisit, 'page'>): Record<string, string> => ({
  Vary: 'Accept-Encoding',
  'Cache-Control': isOpenToEveryone(page) ? SHARED_CACHING : CLIENT_CACHING,
  ...(isReachable(page, null) && ANY_ORIGIN),
  ...(isReachable(page, null) && { 'Access-Control-Expose-Headers': 'ETag' }),
  ...(page.hidden_from_search && { 'X-Robots-Tag': 'noindex' }),
});

/**
 * Milliseconds within which a text may change again, so that its time is not a strong validator (RFC 9110, 8.8.2.2).
 */
const UNSETTLED = 2_000;

/** Change times of rendered texts with a `Last-Modified`, by the part that stays identical while they do. */
const changeTimes = new WeakMap<Rendered['body'], Instant>();

/** A text for programs about a page. */
export interface PublicText {
  text: string;
  /** time of the last change; absent: no `Last-Modified` */
  changedAt?: Instant;
}

/**
 * Returns a text about a page for programs, the same for all visitors, with an `ETag`. It is cached compressed until
 * the page's content changes (cache/rendered-pages.ts).
 *
 * @param key identifies the text among those of the page
 * @param make depends only on the visit's page. @throws NotFound nothing is cached then
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

/** `If-Modified-Since` applies only without `If-None-Match` (RFC 9110, 13.1.3). */
const isUnmodified = ({ sent }: Pick<PageVisit, 'sent'>, changed: number): boolean => {
  if (sent.header('if-none-match') !== undefined) return false;
  const since = Date.parse(sent.header('if-modified-since') ?? '');
  return since >= changed;
};

/** Returns the absolute URL of a page's root, without a trailing slash. Feeds need it even if no URL is configured. */
export const absoluteRoot = ({ page, places }: Pick<PageVisit, 'page' | 'places'>): string => {
  const address = publicAddress(page, places);
  return address.startsWith('/') ? `http://localhost${address}` : address;
};
