import type { JSX } from 'preact';
import { html } from '../../http/media/types.ts';
import { compressed } from '../../http/media/compressed.ts';
import type { Answer } from '../../http/routes/route.ts';
import { pageHtml } from '../../views/document.tsx';
import type { Frame } from '../../views/status/frame.ts';
import { assetName } from '../assets/bundles.ts';
import { cachedPage } from './cache/cached-page.ts';
import { cachingOf } from './cache/caching.ts';
import { frameOf } from './frame.ts';
import { socialHead, type HeadSubject, type HeadVisit } from './head.ts';
import type { PageVisit } from './page-route.ts';

export const HTML_PAGE = html();

/** Makes the frame of a page once it is known what the page is about. */
export type Framed = (subject: HeadSubject) => Frame;

export interface HtmlPage {
  /**
   * names the page among all pages of the status page, of what was validated ({@link cachedPage}); null: it is rendered
   * for each request, such as the results of a search
   */
  key: string | null;
  view: (framed: Framed) => Promise<JSX.Element>;
}

/** @param version of what is shown, from which a script follows changes; null: it follows none */
export const framing =
  (visit: Parameters<typeof frameOf>[0] & HeadVisit, version: string | null): Framed =>
  (subject) => {
    const frame = frameOf(visit);
    const stylesheets = [...frame.stylesheets, ...(subject.path === '' ? [] : [`assets/${assetName('details.css')}`])];
    return { ...frame, here: subject.path, stylesheets, version, head: socialHead(visit, subject) };
  };

/** An HTML page of a status page, kept while nothing that it shows changes. */
export const htmlPage = async (visit: PageVisit, { key, view }: HtmlPage): Promise<Answer> => {
  const make = async (version: string | null): Promise<string> => pageHtml(await view(framing(visit, version)));
  if (key !== null) return cachedPage(visit, { key, make: ({ token }) => make(token) });
  const text = await make(null);
  return compressed({ status: 200, headers: cachingOf(visit), body: () => text }, visit.sent);
};
