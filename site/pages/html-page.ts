import type { JSX } from 'preact';
import { html } from '../../http/media/media-types.ts';
import { compressResponse } from '../../http/media/compression.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import { pageHtml } from '../../views/document.tsx';
import type { Frame } from '../../views/status/frame.ts';
import { assetName } from '../assets/assets.ts';
import { cachedPage } from './cache/cached-page.ts';
import { cachingOf } from './cache/caching.ts';
import { frameOf } from './frame.ts';
import { socialHead, type HeadSubject, type HeadVisit } from './head.ts';
import type { PageVisit } from './page-route.ts';

export const HTML_PAGE = html();

/** Creates the frame of a page. Call it after the subject of the page is known. */
export type FrameFactory = (subject: HeadSubject) => Frame;

export interface HtmlPage {
  /**
   * identifies the content within the status page; derived from validated input only ({@link cachedPage}). Null: the
   * page is rendered for each request, for example because it shows search results
   */
  key: string | null;
  view: (framed: FrameFactory) => Promise<JSX.Element>;
}

/**
 * Returns a function that creates the frame of a page.
 *
 * @param version version that is being rendered, with which the script of the page detects later changes; null if the
 * page has no such script
 */
export const createFrameFactory =
  (visit: Parameters<typeof frameOf>[0] & HeadVisit, version: string | null): FrameFactory =>
  (subject) => {
    const frame = frameOf(visit);
    const isPlain = subject.path === '' && !frame.past?.shown;
    const stylesheets = [...frame.stylesheets, ...(isPlain ? [] : [`assets/${assetName('details.css')}`])];
    return { ...frame, here: subject.path, stylesheets, version, head: socialHead(visit, subject) };
  };

/** Returns an HTML page of a status page. It is cached until the content of the status page changes. */
export const htmlPage = async (visit: PageVisit, { key, view }: HtmlPage): Promise<RouteResponse> => {
  const make = async (version: string | null): Promise<string> =>
    pageHtml(await view(createFrameFactory(visit, version)));
  const shown = visit.past?.shown;
  if (shown && key !== null)
    return cachedPage({ ...visit, page: visit.current }, { key: `${key} as of ${shown.at}`, make: () => make(null) });
  if (key !== null) return cachedPage(visit, { key, make: ({ token }) => make(token) });
  const text = await make(null);
  return compressResponse({ status: 200, headers: cachingOf(visit), body: () => text }, visit.sent);
};
