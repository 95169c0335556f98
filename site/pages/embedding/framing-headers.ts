import { LRUCache } from 'lru-cache';
import { OWN_PAGE } from '../../../http/media/media-types.ts';
import { securityHeaders } from '../../../http/security-headers.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';

/**
 * Cached policy headers, by the origins that they allow. They are cached because creating them is slow, and most pages
 * allow no origins and therefore have the same headers.
 */
const policies = new LRUCache<string, readonly string[]>({ max: 500 });

/**
 * Returns security headers that let only the origins in `allow_embedding` frame a response. The older X-Frame-Options
 * header is omitted, because it can't name origins. All supported browsers know `frame-ancestors`.
 */
export const framingHeaders = ({
  allow_embedding: origins,
}: Pick<PageDocument, 'allow_embedding'>): readonly string[] => {
  const key = (origins ?? []).join(' ');
  const known = policies.get(key);
  if (known) return known;
  const ancestors = origins && origins.length > 0 ? origins : ["'none'"];
  const headers = securityHeaders({ ...OWN_PAGE, 'frame-ancestors': ancestors }, true);
  const kept = headers.filter((_, at) => !/^x-frame-options$/i.test(headers[at - (at % 2)] ?? ''));
  policies.set(key, kept);
  return kept;
};

/**
 * Returns CORS headers (Fetch, 3.2). If the page allows the request's origin to embed it, the headers let this origin
 * read the response. The response must also have `Vary: Origin`, because the headers depend on the origin.
 *
 * @param origin value of the request's `Origin` header
 */
export const corsHeaders = (
  { allow_embedding: origins }: Pick<PageDocument, 'allow_embedding'>,
  origin: string | undefined,
): Record<string, string> =>
  origin !== undefined && origins?.includes(origin) ? { 'Access-Control-Allow-Origin': origin } : {};
