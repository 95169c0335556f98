import { isOpenToAll, type Visibility } from '../../../domain/page/visitors.ts';

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
