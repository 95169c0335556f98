import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import type { Encoding } from '../../http/media/encoding.ts';
import { pageHtml } from '../../views/document.tsx';
import { MissingPage } from '../../views/docs/missing-page.tsx';
import type { DocsFrame, DocsHit } from '../../views/docs/model.ts';
import { OverviewPage } from '../../views/docs/overview.tsx';
import { SearchPage } from '../../views/docs/search-page.tsx';
import { TopicPage } from '../../views/docs/topic.tsx';
import { assetName } from '../assets/bundles.ts';
import { topicName } from './anchors.ts';
import { INVALID_ANSWER } from './invalid-answer.ts';
import { samplesOf } from './samples/index.ts';
import { entriesOf, overviewEntries, search, type Entry } from './search.ts';
import { topicOf, type DocsSource } from './topics.ts';

/** A page of the documentation as it is sent. */
export interface DocsPage {
  /** `ETag` */
  tag: string;
  /** the bytes in an encoding; null: not encoded */
  bytes: (encoding: Encoding | null) => Promise<Uint8Array>;
}

/** The API documentation, made from the OpenAPI document. */
export interface Reference {
  /** a page by the name of its topic, the overview by the empty text; null: there is none */
  page: (name: string) => Promise<DocsPage | null>;
  search: (query: string) => Promise<DocsHit[]>;
  /** the page that shows what a search has found */
  searchPage: (query: string) => Promise<string>;
  missingPage: () => string;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Each page is rendered when it is first requested, and kept compressed: about 15 KB with both encodings, while what it
 * is made from takes many times that. Nothing is cached before the first request.
 */
export const createReference = ({ tags, document }: DocsSource): Reference => {
  const topics = tags.map((title) => ({ name: topicName(title), title }));
  const pages = new Map<string, Promise<DocsPage>>();
  let entries: Promise<Entry[]> | null = null;

  const render = (name: string, title: string): string => {
    const frame = frameOf(name === '' ? './' : '../', topics);
    return name === ''
      ? pageHtml(OverviewPage({ frame, samples: samplesOf(FIRST_CALL), invalidAnswer: INVALID_ANSWER }))
      : pageHtml(TopicPage({ frame, topic: topicOf(title, document(title)) }));
  };

  /** Other requests get their turn between the topics. */
  const readEntries = async (): Promise<Entry[]> => {
    const read = overviewEntries();
    for (const title of tags) {
      read.push(...entriesOf(topicOf(title, document(title))));
      await nextTurn();
    }
    return read;
  };

  const find = async (query: string): Promise<DocsHit[]> =>
    query === '' ? [] : search(await (entries ??= readEntries()), query);

  return {
    page: async (name) => {
      // Names that lead nowhere are not remembered: anybody can make up any number of them.
      const topic = name === '' ? OVERVIEW : topics.find((one) => one.name === name);
      if (!topic) return null;
      const known = pages.get(name);
      if (known) return known;
      const made = keep(render(name, topic.title));
      pages.set(name, made);
      made.catch(() => pages.delete(name));
      return made;
    },
    search: find,
    searchPage: async (query) =>
      pageHtml(SearchPage({ frame: frameOf('../', topics), query, hits: await find(query) })),
    missingPage: () => pageHtml(MissingPage({ frame: frameOf('../', topics) })),
  };
};

const OVERVIEW = { title: 'Overview' };

const frameOf = (root: DocsFrame['root'], topics: DocsFrame['topics']): DocsFrame => ({
  root,
  topics,
  stylesheets: [`site/assets/${assetName('docs.css')}`],
  scripts: [`site/assets/${assetName('docs.js')}`],
});

/** What the overview begins with. */
const FIRST_CALL = {
  method: 'GET',
  path: '/v1/pages',
  credential: 'KEY',
  idempotencyKey: false,
  json: true,
  stream: false,
} as const;

/** A page with its compressed forms; the plain one is made from them for the few clients that take none. */
const keep = async (html: string): Promise<DocsPage> => {
  const gzipped = await compressGzip(html, { level: 9 });
  const brotli = await compressBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return {
    tag: hash('sha256', html, 'base64url').slice(0, 22),
    bytes: async (encoding) => (encoding === 'br' ? brotli : encoding === 'gzip' ? gzipped : decompress(gzipped)),
  };
};
