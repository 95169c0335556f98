import { isFresh } from '../../../http/answer.ts';
import { encodingOf } from '../../../http/media/encoding.ts';
import type { Answer } from '../../../http/routes/route.ts';
import type { PageVersion } from '../changes/page-version.ts';
import type { PageVisit } from '../page-route.ts';
import { cachingOf } from './caching.ts';

export interface CachedPage extends Pick<Answer, 'security' | 'headers' | 'type'> {
  /**
   * names what is rendered among everything below the root of the page: `history 2026-11`. Only what was validated may
   * be part of it, since each key takes memory
   */
  key: string;
  /**
   * Renders it from the page, the root and the choices of the visit, and from what `key` names; never from who visits,
   * from an address, a cookie or a token: others get the same answer. A stream of events that begins with the token of
   * the version (`events?since=`) misses nothing.
   */
  make: (version: PageVersion) => Promise<string> | string;
  /** further request headers that the answer depends on: `Accept`, of a route with several types */
  varying?: readonly string[];
}

/**
 * An answer that is kept while nothing that the page shows changes, for a minute at most, with its compressed forms.
 * Whether the visitor may see the page was checked before. The type of the answer must take bytes: JSON is
 * `JSON_STREAM`.
 */
export const cachedPage = async (visit: PageVisit, { key, make, varying, ...answer }: CachedPage): Promise<Answer> => {
  const { page, root, choices, sent, rendered, countedAs } = visit;
  const { language, zone, theme } = choices;
  const { tag, body } = await rendered.of(page, JSON.stringify([key, root, language, zone, theme]), make, countedAs);
  // A client that has it already costs no compression.
  const isKnown = isFresh(sent.header('if-none-match'), tag);
  const { bytes, encoding } = await body(isKnown ? null : encodingOf(sent.header('accept-encoding')));
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
