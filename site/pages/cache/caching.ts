import { isOpenToAll, type Visibility } from '../../../domain/page/visitors.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';

/** Seconds for which a shared cache serves a public page as it is, then while it fetches it anew, then while it fails. */
const PUBLIC = 'public, max-age=10, stale-while-revalidate=20, stale-if-error=3600';
/** A visitor's browser asks each time whether the visitor may still see it. */
const PRIVATE = 'private, no-cache';

/**
 * The headers by which caches keep something of a status page, the same for all its formats. What not everybody sees is
 * never for shared caches.
 *
 * @param varying further request headers that the answer depends on: `Accept`, of a route with several types
 */
export const cachingOf = (
  { page }: { page: Visibility },
  varying: readonly string[] = [],
): Readonly<Record<'Cache-Control' | 'Vary', string>> => ({
  'Cache-Control': isOpenToAll(page) ? PUBLIC : PRIVATE,
  Vary: [...varying, 'Accept-Encoding', 'Cookie'].join(', '),
});

/** Seconds for which caches keep a picture, or a file for programs, without asking. */
const SHORT = 60;
/** Seconds for which a cache may show an old one when the service does not answer. */
const DAY = 86_400;

/**
 * Headers of a picture, or of a file for programs, that belongs to a page and is the same for all its visitors. Shared
 * caches keep it only where everybody sees the page: what was unlocked belongs to one visitor.
 */
export const pictureHeaders = (page: PageDocument): Record<string, string> => ({
  'Cache-Control': isOpenToAll(page)
    ? `public, max-age=${SHORT.toString()}, stale-if-error=${DAY.toString()}`
    : 'private, no-cache',
  ...(page.hidden_from_search && { 'X-Robots-Tag': 'noindex, nofollow' }),
});
