import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { markdownHtml } from './html.ts';

/** Rendered HTML by heading level and text, at most 4 MiB. */
const htmlCache = new LRUCache<string, string>({
  maxSize: 4_194_304,
  sizeCalculation: (html, key) => html.length + key.length + 1,
});

type Heading = 2 | 3 | 4;

/** Renders Markdown as HTML (html.ts). The result is cached, because pages show the same texts repeatedly. */
export const cachedHtml = (text: string, topHeading: Heading): string => {
  const key = `${topHeading}${text}`;
  const known = htmlCache.get(key);
  if (known !== undefined) return known;
  const html = markdownHtml(text, { topHeading });
  htmlCache.set(key, html);
  return html;
};

/**
 * Renders texts in advance, so that {@link cachedHtml} returns immediately. Yields to the event loop between texts,
 * because a text may take milliseconds.
 */
export const prepareHtml = async (texts: Iterable<string>, topHeading: Heading): Promise<void> => {
  for (const text of texts) {
    if (htmlCache.has(`${topHeading}${text}`)) continue;
    cachedHtml(text, topHeading);
    await setImmediate();
  }
};
