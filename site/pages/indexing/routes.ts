import { HttpError } from '../../../http/errors.ts';
import { mediaType, TEXT } from '../../../http/media/media-types.ts';
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

/** Maximum number of incidents in a sitemap, newest first. The protocol allows 50,000 entries. */
const MOST_INCIDENTS = 1_000;
/** Maximum length of a name that is shown below an icon, in UTF-16 units. */
const SHORT_NAME = 24;

/**
 * Rejects requests for files for search engines if the page is hidden from search. Such a page also has no robots.txt
 * that blocks crawlers: a blocked crawler could not read that the page must not be indexed.
 *
 * @throws HttpError 404
 */
const requireListed = ({ hidden_from_search: hidden }: PageDocument): void => {
  if (hidden) throw new HttpError(404, 'Not found.', { headers: { 'X-Robots-Tag': 'noindex, nofollow' } });
};

/** Returns an instant as `2026-11-20T15:04:05Z`. */
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

/**
 * Returns the manifest with which browsers can install the page as an application (W3C: Web Application Manifest). The
 * URLs in the manifest are relative to the URL of the manifest.
 */
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

/** Routes of files for search engines, and of the manifest for installing the page. */
export const indexingRoutes: readonly Route[] = [
  pageRoute({
    path: '/robots.txt',
    summary: 'The rules for search engine crawlers',
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
      // Sitemap URLs must be absolute.
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
    summary: 'The web app manifest, with which browsers install the page',
    produces: [MANIFEST],
    anyHeaders: true,
    answer: ({ page }) => ({ status: 200, headers: pictureHeaders(page), body: () => manifestOf(page) }),
  }),
];
