import { LRUCache } from 'lru-cache';
import { OWN_PAGE } from '../../../http/media/types.ts';
import { securityHeaders } from '../../../http/security-headers.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';

/** Making the headers of a policy takes a while; most pages name no origin. */
const policies = new LRUCache<string, readonly string[]>({ max: 500 });

/**
 * The security headers of what a page lets others show in a frame: its `allow_embedding`, and nobody else. The older
 * X-Frame-Options knows no origins, so it is left out: every browser that we serve knows `frame-ancestors`.
 */
export const framedBy = ({ allow_embedding: origins }: Pick<PageDocument, 'allow_embedding'>): readonly string[] => {
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
 * Lets pages of an origin read an answer (Fetch, 3.2: CORS), where the page allows it to embed. The answer depends on the
 * `Origin` of the request.
 *
 * @param origin the `Origin` of the request
 */
export const readableBy = (
  { allow_embedding: origins }: Pick<PageDocument, 'allow_embedding'>,
  origin: string | undefined,
): Record<string, string> =>
  origin !== undefined && origins?.includes(origin) ? { 'Access-Control-Allow-Origin': origin } : {};
