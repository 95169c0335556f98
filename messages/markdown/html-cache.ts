import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { markdownHtml } from './html.ts';

/** Rendered HTML by heading level and text, up to 4 MiB. */
const remembered = new LRUCache<string, string>({
  maxSize: 4_194_304,
  sizeCalculation: (html, key) => html.length + key.length + 1,
});

type Heading = 2 | 3 | 4;

/** Markdown as HTML (html.ts), cached because pages show the same texts repeatedly. */
export const rememberedHtml = (text: string, topHeading: Heading): string => {
  const key = `${topHeading.toString()}${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const html = markdownHtml(text, { topHeading });
  remembered.set(key, html);
  return html;
};

/** Renders texts for {@link rememberedHtml} in advance. It yields between texts, since some take milliseconds. */
export const prepareHtml = async (texts: Iterable<string>, topHeading: Heading): Promise<void> => {
  for (const text of texts) {
    if (remembered.has(`${topHeading.toString()}${text}`)) continue;
    rememberedHtml(text, topHeading);
    await setImmediate();
  }
};
