import { HttpError } from '../../../http/errors.ts';
import { mediaType, TEXT } from '../../../http/media/types.ts';
import { oneLine } from '../../../messages/characters.ts';
import { pageLanguage } from '../../../messages/words/languages.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { incidentEntries } from '../../../queries/pages/incident-entries.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import { directionOf } from '../../../views/document.tsx';
import { incidentPath } from '../../../views/status/incidents.tsx';
import type { Route } from '../../route.ts';
import { cachedPage } from '../cache/cached-page.ts';
import { pictureHeaders } from '../cache/caching.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { sitemapXml } from './sitemap.ts';

const XML = mediaType('application/xml', { parameter: 'charset=utf-8' });
const MANIFEST = mediaType('application/manifest+json');

/** Incidents in a sitemap: the newest ones, and far fewer than the 50,000 that it may have. */
const MOST_INCIDENTS = 1_000;
/** UTF-16 units of a name below an icon. */
const SHORT_NAME = 24;

/**
 * A page that is hidden from search has no files for search engines. They are not kept out of it either: then they
 * could not read that it must not be listed.
 *
 * @throws HttpError 404
 */
const requireListed = ({ hidden_from_search: hidden }: PageDocument): void => {
  if (hidden) throw new HttpError(404, 'Not found.', { headers: { 'X-Robots-Tag': 'noindex, nofollow' } });
};

/** `2026-11-20T15:04:05Z` */
const instantText = (instant: string): string => `${instant.slice(0, 19)}Z`;

const sitemapOf = async ({ scope, page, address }: PageVisit): Promise<string> => {
  const [incidents, { visible }] = await Promise.all([
    incidentEntries(scope, page, MOST_INCIDENTS),
    componentsForVisitors(scope, page),
  ]);
  const folderOf = (group: boolean): string => (group ? 'groups' : 'components');
  return sitemapXml([
    { url: `${address}/`, modified: null },
    { url: `${address}/history`, modified: null },
    ...visible.map(({ id, group }) => ({
      url: `${address}/${folderOf(group)}/${id}`,
      modified: null,
    })),
    ...incidents.map((incident) => ({
      url: `${address}/${incidentPath(incident)}`,
      modified: instantText(incident.updated_at),
    })),
  ]);
};

const BACKGROUND = '#ffffff';
const THEME = '#14181f';

/** Lets a browser install the page (W3C: Web Application Manifest). Its addresses are relative to itself. */
const manifestOf = ({ name, page_description: description, language }: PageDocument): string =>
  JSON.stringify({
    name,
    short_name: oneLine(name, SHORT_NAME),
    ...(description !== '' && { description }),
    lang: pageLanguage(language),
    dir: directionOf(language),
    start_url: './',
    scope: './',
    display: 'minimal-ui',
    background_color: BACKGROUND,
    theme_color: THEME,
    icons: [{ src: 'favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
  });

/** Files by which search engines and browsers learn of a page. */
export const indexingRoutes: readonly Route[] = [
  pageRoute({
    path: '/robots.txt',
    summary: 'What search engines may read of the page',
    produces: [TEXT],
    anyHeaders: true,
    answer: ({ page, address }) => {
      requireListed(page);
      const sitemap = /^https?:/.test(address) ? `Sitemap: ${address}/sitemap.xml\n` : '';
      return { status: 200, headers: pictureHeaders(page), body: () => `User-agent: *\nAllow: /\n${sitemap}` };
    },
  }),
  pageRoute({
    path: '/sitemap.xml',
    summary: 'The pages of the status page, for search engines',
    produces: [XML],
    anyHeaders: true,
    answer: (visit) => {
      requireListed(visit.page);
      // Its addresses have to be absolute.
      if (!/^https?:/.test(visit.address)) throw new HttpError(404, 'Not found.');
      return cachedPage(visit, {
        key: 'sitemap',
        headers: { ...pictureHeaders(visit.page), Vary: 'Accept-Encoding' },
        make: () => sitemapOf(visit),
      });
    },
  }),
  pageRoute({
    path: '/manifest.webmanifest',
    summary: 'What a browser needs to install the page',
    produces: [MANIFEST],
    anyHeaders: true,
    answer: ({ page }) => ({ status: 200, headers: pictureHeaders(page), body: () => manifestOf(page) }),
  }),
];
