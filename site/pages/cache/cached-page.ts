import { matchesTag } from '../../../http/response.ts';
import { negotiateEncoding } from '../../../http/media/accept-encoding.ts';
import type { RouteResponse } from '../../../http/routes/route.ts';
import type { PageVersion } from '../changes/page-version.ts';
import type { PageVisit } from '../page-route.ts';
import { cachingOf } from './caching.ts';

export interface CachedPage extends Pick<RouteResponse, 'security' | 'headers' | 'type'> {
  /**
   * identifies the content below the page's root: `history 2026-11`. Derive it only from validated input, because each
   * different key takes memory
   */
  key: string;
  /**
   * Renders the response. May use only the page, the root, the display settings and `key`, but never the visitor, an
   * address, a cookie or a token, because other visitors get the same response. A page that contains `version.token`
   * can open an event stream with it (`events?since=`) and misses no change.
   */
  make: (version: PageVersion) => Promise<string> | string;
  /** further request headers that the response depends on: `Accept`, for a route with several types */
  varying?: readonly string[];
}

/**
 * Returns a response that is cached until the page's content changes, but for at most a minute. Its compressed forms
 * are cached too. Callers must have verified the visitor's access. The response type must accept bytes; for JSON use
 * `JSON_STREAM`.
 */
export const cachedPage = async (
  visit: PageVisit,
  { key, make, varying, ...answer }: CachedPage,
): Promise<RouteResponse> => {
  const { page, root, choices, sent, rendered, countedAs } = visit;
  const { language, zone, theme } = choices;
  const { tag, body } = await rendered.of(page, JSON.stringify([key, root, language, zone, theme]), make, countedAs);
  // If the client already has this version, the body is not needed, so do not compress it.
  const isKnown = matchesTag(sent.header('if-none-match'), tag);
  const { bytes, encoding } = await body(isKnown ? null : negotiateEncoding(sent.header('accept-encoding')));
  return {
    ...answer,
    status: 200,
    tag,
    headers: {
      ...cachingOf(visit, varying),
      ...(encoding && { 'Content-Encoding': encoding }),
      ...answer.headers,
    },
    body: () => bytes,
  };
};
