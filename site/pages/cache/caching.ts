import { isOpenToEveryone, type Visibility } from '../../../domain/page/access.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { DAY_SECONDS } from '../../../domain/time.ts';

/** Seconds for which a shared cache serves a public page as fresh, then while revalidating, then on errors. */
const PUBLIC = 'public, max-age=10, stale-while-revalidate=20, stale-if-error=3600';
/** The browser revalidates each time, because the visitor may have lost access. */
const PRIVATE = 'private, no-cache';

/**
 * Returns the caching headers of a status page, the same for all its formats. Pages with restricted access never get
 * into shared caches.
 *
 * @param varying further request headers that the response depends on: `Accept`, for a route with several types
 */
export const cachingOf = (
  { page }: { page: Visibility },
  varying: readonly string[] = [],
): Readonly<Record<'Cache-Control' | 'Vary', string>> => ({
  'Cache-Control': isOpenToEveryone(page) ? PUBLIC : PRIVATE,
  Vary: [...varying, 'Accept-Encoding', 'Cookie'].join(', '),
});

/** Seconds for which caches may use a picture, or a file for programs, without revalidation. */
const SHORT = 60;

/**
 * Headers of a picture or a file for programs that is the same for all visitors of a page. Shared caches store it only
 * if the page is public, because access is per visitor.
 */
export const pictureHeaders = (page: PageDocument): Record<string, string> => ({
  'Cache-Control': isOpenToEveryone(page)
    ? `public, max-age=${SHORT}, stale-if-error=${DAY_SECONDS}`
    : 'private, no-cache',
  ...(page.hidden_from_search && { 'X-Robots-Tag': 'noindex, nofollow' }),
});
