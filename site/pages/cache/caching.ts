import { isOpenToEveryone, type Visibility } from '../../../domain/page/access.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { DAY_SECONDS } from '../../../domain/time.ts';

/**
 * Header of public pages. Its numbers are seconds for which a shared cache may serve the page without revalidation,
 * during revalidation, and after errors.
 */
const PUBLIC = 'public, max-age=10, stale-while-revalidate=20, stale-if-error=3600';
/**
 * Header of pages with restricted access. The browser revalidates before each use, because the visitor may have lost
 * access.
 */
const PRIVATE = 'private, no-cache';

/**
 * Returns the caching headers of a status page, which are the same for all formats of the page. Shared caches never
 * store pages with restricted access.
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

/** Time for which caches may use a picture, or a file for programs, without revalidation, in seconds. */
const SHORT = 60;

/**
 * Returns the headers of a picture, or of a file for programs, that is the same for all visitors of a page. Shared
 * caches may store it only if the page is public, because access to any other page depends on the visitor.
 */
export const pictureHeaders = (page: PageDocument): Record<string, string> => ({
  'Cache-Control': isOpenToEveryone(page)
    ? `public, max-age=${SHORT}, stale-if-error=${DAY_SECONDS}`
    : 'private, no-cache',
  ...(page.hidden_from_search && { 'X-Robots-Tag': 'noindex, nofollow' }),
});
