import { escaped } from '../../../messages/characters.ts';

/** A page in a sitemap. */
export interface SitemapEntry {
  /** absolute URL */
  url: string;
  /** time of the latest change in ISO 8601 with a zone; null: unknown */
  modified: string | null;
}

/** Returns a sitemap (sitemaps.org, protocol 0.9). */
export const sitemapXml = (entries: readonly SitemapEntry[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries.map(({ url, modified }) => {
      const changed = modified === null ? '' : `<lastmod>${escaped(modified)}</lastmod>`;
      return `<url><loc>${escaped(url)}</loc>${changed}</url>`;
    }),
    '</urlset>',
    '',
  ].join('\n');
