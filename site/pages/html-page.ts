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

/** Creates the frame of a page, once its subject is known. */
export type FrameFactory = (subject: HeadSubject) => Frame;

export interface HtmlPage {
  /**
   * identifies the page within the status page, from validated input ({@link cachedPage}); null: rendered for each
   * request, such as search results
   */
  key: string | null;
  view: (framed: FrameFactory) => Promise<JSX.Element>;
}

/** @param version the rendered version, from which a script follows changes; null: it follows none */
export const createFrameFactory =
  (visit: Parameters<typeof frameOf>[0] & HeadVisit, version: string | null): FrameFactory =>
  (subject) => {
    const frame = frameOf(visit);
    const stylesheets = [...frame.stylesheets, ...(subject.path === '' ? [] : [`assets/${assetName('details.css')}`])];
    return { ...frame, here: subject.path, stylesheets, version, head: socialHead(visit, subject) };
  };

/** Returns an HTML page of a status page, cached until its content changes. */
export const htmlPage = async (visit: PageVisit, { key, view }: HtmlPage): Promise<RouteResponse> => {
  const make = async (version: string | null): Promise<string> =>
    pageHtml(await view(createFrameFactory(visit, version)));
  if (key !== null) return cachedPage(visit, { key, make: ({ token }) => make(token) });
  const text = await make(null);
  return compressResponse({ status: 200, headers: cachingOf(visit), body: () => text }, visit.sent);
};
