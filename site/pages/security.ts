import { LRUCache } from 'lru-cache';
import { OWN_PAGE } from '../../http/media/types.ts';
import { securityHeaders, type Directives } from '../../http/security-headers.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';

/** Policies are few, and helmet takes long to make the headers of one. */
const made = new LRUCache<string, readonly string[]>({ max: 1_000 });

const headersOf = (policy: Directives, framed: boolean): readonly string[] => {
  const key = JSON.stringify([policy, framed]);
  const known = made.get(key);
  if (known) return known;
  const headers = securityHeaders(policy, false, 'same-origin');
  // `X-Frame-Options` can't name origins; browsers that know `frame-ancestors` do not need it.
  const wanted = framed ? withoutHeader(headers, 'X-Frame-Options') : headers;
  made.set(key, wanted);
  return wanted;
};

const withoutHeader = (headers: readonly string[], name: string): string[] =>
  headers.flatMap((text, at) => (at % 2 === 0 && text !== name ? [text, headers[at + 1] ?? ''] : []));

/**
 * The security headers of a page of a status page: it loads from its own origin, and the origins of `allow_embedding`
 * may show it in a frame.
 *
 * @param further directives that replace those of the same name, such as `img-src` with the origin of a logo
 */
export const pageSecurity = (
  { allow_embedding: origins }: Pick<PageDocument, 'allow_embedding'>,
  further: Directives = {},
): readonly string[] => {
  const framed = origins !== null && origins.length > 0;
  const ancestors = framed ? { 'frame-ancestors': ["'self'", ...origins] } : {};
  return headersOf({ ...OWN_PAGE, ...ancestors, ...further }, framed);
};

/** Those of forms that take a password, an account or an address: nobody may frame them, and they run no script. */
export const formSecurity = (): readonly string[] => headersOf({ ...OWN_PAGE, 'script-src': ["'none'"] }, false);
