import type { PageDocument } from '../../projections/pages/documents.ts';
import { isOpenToAll } from '../../domain/page/visitors.ts';

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
