import { LRUCache } from 'lru-cache';
import { OWN_PAGE } from '../../../http/media/media-types.ts';
import { securityHeaders } from '../../../http/security-headers.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';

/** Creating policy headers is slow, and most pages share one without origins. */
const policies = new LRUCache<string, readonly string[]>({ max: 500 });

/**
 * Returns security headers that let only the origins in `allow_embedding` frame a response. The older X-Frame-Options
 * does not support origins, so it is left out: every supported browser knows `frame-ancestors`.
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
 * CORS headers (Fetch, 3.2) that let an origin read a response if the page allows it to embed. The response varies by
 * `Origin`.
 *
 * @param origin the request's `Origin`
 */
export const corsHeaders = (
  { allow_embedding: origins }: Pick<PageDocument, 'allow_embedding'>,
  origin: string | undefined,
): Record<string, string> =>
  origin !== undefined && origins?.includes(origin) ? { 'Access-Control-Allow-Origin': origin } : {};
