import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { markdownHtml } from './html.ts';

/** Texts of people as HTML, by their heading level and text; as many as fit into 4 MiB. */
const remembered = new LRUCache<string, string>({
  maxSize: 4_194_304,
  sizeCalculation: (html, key) => html.length + key.length + 1,
});

type Heading = 2 | 3 | 4;

/** Markdown as HTML (html.ts), which is remembered: pages show the same texts again and again. */
export const rememberedHtml = (text: string, topHeading: Heading): string => {
  const key = `${topHeading.toString()}${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const html = markdownHtml(text, { topHeading });
  remembered.set(key, html);
  return html;
};

/** Prepares texts for {@link rememberedHtml}, with other work in between, since some take milliseconds. */
export const prepareHtml = async (texts: Iterable<string>, topHeading: Heading): Promise<void> => {
  for (const text of texts) {
    if (remembered.has(`${topHeading.toString()}${text}`)) continue;
    rememberedHtml(text, topHeading);
    await setImmediate();
  }
};
