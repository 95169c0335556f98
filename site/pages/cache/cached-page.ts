import { matchesTag } from '../../../http/response.ts';
import { negotiateEncoding } from '../../../http/media/accept-encoding.ts';
import type { RouteResponse } from '../../../http/routes/route.ts';
import type { PageVersion } from '../changes/page-version.ts';
import type { PageVisit } from '../page-route.ts';
import { cachingOf } from './caching.ts';

export interface CachedPage extends Pick<RouteResponse, 'security' | 'headers' | 'type'> {
  /**
   * identifies what is rendered below the page's root: `history 2026-11`. Use only validated input, because each key
   * takes memory
   */
  key: string;
  /**
   * Renders from the page, the root, the visit's choices and `key` only, never from the visitor, an address, a cookie
   * or a token: other visitors get the same response. An event stream opened with the version's token (`events?since=`)
   * misses no change.
   */
  make: (version: PageVersion) => Promise<string> | string;
  /** further request headers that the response depends on: `Accept`, for a route with several types */
  varying?: readonly string[];
}

/**
 * Returns a response that is cached with its compressed forms until the page's content changes, for at most a minute.
 * The caller has already checked access. The response type must accept bytes: for JSON use `JSON_STREAM`.
 */
export const cachedPage = async (
  visit: PageVisit,
  { key, make, varying, ...answer }: CachedPage,
): Promise<RouteResponse> => {
  const { page, root, choices, sent, rendered, countedAs } = visit;
  const { language, zone, theme } = choices;
  const { tag, body } = await rendered.of(page, JSON.stringify([key, root, language, zone, theme]), make, countedAs);
  // If the client has this version, nothing is compressed.
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
