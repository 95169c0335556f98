import type { Feed } from 'feed';
import { createRequire } from 'node:module';
import { lazy } from '../../../domain/concurrency/lazy.ts';
import { escaped } from '../../../messages/characters.ts';
import { mediaType, type MediaType } from '../../../http/media/media-types.ts';
import type { FeedEntry } from './entries.ts';

/** A feed, independent of format. */
export interface FeedContent {
  /** permanent id, like the ids of entries */
  id: string;
  title: string;
  /** name of the page */
  author: string;
  description: string;
  /** BCP 47 */
  language: string;
  /** absolute URL of the page's root, without a trailing slash */
  root: string;
  /** path of the subject's page, below the root */
  path: string;
  /** path of the feed, below the root */
  self: string;
  /**
   * time of the latest change, in milliseconds since 1970; used as the date of the feed only if there are no entries
   */
  since: number;
  entries: readonly FeedEntry[];
}

const UTF8 = { parameter: 'charset=utf-8' };
export const ATOM = mediaType('application/atom+xml', UTF8);
export const RSS = mediaType('application/rss+xml', UTF8);
export const JSON_FEED = mediaType('application/feed+json', UTF8);

/** A feed format. */
export interface FeedFormat {
  type: MediaType;
  write: (content: FeedContent) => string;
}

/**
 * Escapes `&` in a text. This is necessary because the library first replaces `&amp;` by `&`, and then escapes the
 * text.
 */
const xmlText = (text: string): string => text.replaceAll('&', '&amp;');

/**
 * Replaces `]]>` in HTML, because the library would let it end the CDATA section. In HTML, `]]&gt;` has the same
 * meaning.
 */
const htmlSection = (html: string): string => html.replaceAll(']]>', ']]&gt;');

/** Replaces `]]>` in an RSS title. Titles are plain text, so `]]>` can't be escaped, only written differently. */
const textSection = (text: string): string => text.replaceAll(']]>', ']] >');

const addressOf = ({ root }: FeedContent, path: string): string => `${root}/${path}`;

const lastOf = ({ entries, since }: FeedContent): Date =>
  new Date(entries.reduce((last, { updated }) => Math.max(last, updated), entries.length > 0 ? 0 : since));

/** Loaded when the first feed is requested. */
const feedLibrary = lazy(() => createRequire(import.meta.url)('feed') as { Feed: typeof Feed });

const feedOf = (content: FeedContent): Feed =>
  new (feedLibrary().Feed)({
    id: content.id,
    title: xmlText(content.title),
    ...(content.description !== '' && { description: xmlText(content.description) }),
    language: content.language,
    link: addressOf(content, content.path),
    feed: addressOf(content, content.self),
    // By default, the library uses the current time, so the feed would change with each request.
    updated: lastOf(content),
    author: { name: xmlText(content.author) },
    generator: 'Uptrail',
    docs: 'https://www.rssboard.org/rss-specification',
    // The unit is minutes.
    ttl: 5,
  });

const atom = (content: FeedContent): string => {
  const feed = feedOf(content);
  for (const entry of content.entries)
    feed.addItem({
      id: entry.id,
      // The library declares titles as HTML, so they must be escaped.
      title: escaped(entry.title),
      link: addressOf(content, entry.path),
      description: escaped(entry.summary),
      content: htmlSection(entry.html),
      published: new Date(entry.published),
      date: new Date(entry.updated),
    });
  return feed.atom1();
};

/**
 * Renders a feed as RSS. An RSS entry has only one date. The date of the latest change is used, so that readers notice
 * the change.
 */
const rss = (content: FeedContent): string => {
  const feed = feedOf(content);
  for (const entry of content.entries)
    feed.addItem({
      id: entry.id,
      title: textSection(entry.title),
      link: addressOf(content, entry.path),
      description: escaped(entry.summary),
      content: htmlSection(entry.html),
      date: new Date(entry.updated),
    });
  return feed.rss2();
};

/** Renders a feed as JSON Feed 1.1. Does not use the library, which supports only version 1. */
const json = (content: FeedContent): string => {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: content.title,
    home_page_url: addressOf(content, content.path),
    feed_url: addressOf(content, content.self),
    ...(content.description !== '' && { description: content.description }),
    language: content.language,
    authors: [{ name: content.author }],
    items: content.entries.map((entry) => ({
      id: entry.id,
      url: addressOf(content, entry.path),
      title: entry.title,
      content_html: entry.html,
      summary: entry.summary,
      date_published: new Date(entry.published).toISOString(),
      date_modified: new Date(entry.updated).toISOString(),
    })),
  };
  return JSON.stringify(feed);
};

export const FORMATS = {
  atom: { type: ATOM, write: atom },
  rss: { type: RSS, write: rss },
  json: { type: JSON_FEED, write: json },
} as const satisfies Record<string, FeedFormat>;
