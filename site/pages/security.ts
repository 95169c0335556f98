import { LRUCache } from 'lru-cache';
import { OWN_PAGE } from '../../http/media/media-types.ts';
import { securityHeaders, type Directives } from '../../http/security-headers.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { pictureOrigin } from './picture-addresses.ts';

/** Cached headers, by policy. Helmet creates headers slowly, and there are only a few different policies. */
const made = new LRUCache<string, readonly string[]>({ max: 1_000 });

const headersOf = (policy: Directives, framed: boolean): readonly string[] => {
  const key = JSON.stringify([policy, framed]);
  const known = made.get(key);
  if (known) return known;
  const headers = securityHeaders(policy, framed, 'same-origin');
  // `X-Frame-Options` does not support origins, and browsers with `frame-ancestors` do not need it.
  const wanted = framed ? withoutHeader(headers, 'X-Frame-Options') : headers;
  made.set(key, wanted);
  return wanted;
};

const withoutHeader = (headers: readonly string[], name: string): string[] =>
  headers.flatMap((text, at) => (at % 2 === 0 && text !== name ? [text, headers[at + 1] ?? ''] : []));

export type SecuredPage = Pick<PageDocument, 'allow_embedding' | 'company_logo' | 'hero_cover' | 'favicon_logo'>;

/**
 * Returns security headers of a status page. The page can load content only from its own origin, and pictures also from
 * their configured origins. Only the origins in `allow_embedding` can frame it.
 */
export const pageSecurity = ({ allow_embedding, ...pictures }: SecuredPage): readonly string[] => {
  const { company_logo, hero_cover, favicon_logo } = pictures;
  const origins = new Set([company_logo, hero_cover, favicon_logo].flatMap((address) => pictureOrigin(address) ?? []));
  const ancestors = allow_embedding ?? [];
  const framed = ancestors.length > 0;
  return headersOf(
    {
      ...OWN_PAGE,
      'img-src': ["'self'", 'data:', ...origins],
      'frame-ancestors': framed ? ancestors : ["'none'"],
    },
    framed,
  );
};

/**
 * Returns security headers of forms for a password, an account or an address. These forms can't be framed, and they run
 * no script.
 */
export const formSecurity = (): readonly string[] => headersOf({ ...OWN_PAGE, 'script-src': ["'none'"] }, false);
