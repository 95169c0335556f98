import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import type { Encoding } from '../../http/media/accept-encoding.ts';
import { pageHtml } from '../../views/document.tsx';
import { DocumentPage, FolderPage } from '../../views/docs/document-page.tsx';
import { MissingPage } from '../../views/docs/missing-page.tsx';
import type { DocsFolder, DocsFrame, DocsSearchResult } from '../../views/docs/model.ts';
import { OverviewPage } from '../../views/docs/overview.tsx';
import { SearchPage } from '../../views/docs/search-page.tsx';
import { TopicPage } from '../../views/docs/topic.tsx';
import { assetName } from '../assets/assets.ts';
import { topicName } from './anchors.ts';
import { EMPTY_LIBRARY, type DocumentFile, type Library, type LibraryContents } from './documents/library.ts';
import { resolveFrom } from './documents/links.ts';
import { renderDocument, type RenderedDocument } from './documents/markdown.ts';
import { INVALID_RESPONSE } from './invalid-response.ts';
import { samplesOf } from './samples/index.ts';
import { documentEntries, entriesOf, overviewEntries, search, type Entry } from './search.ts';
import { topicOf, type DocsSource } from './topics.ts';

/** A rendered page of the documentation. */
export interface DocsPage {
  /** value of the `ETag` header */
  tag: string;
  /** returns the body in an encoding; null: uncompressed */
  bytes: (encoding: Encoding | null) => Promise<Uint8Array>;
}

/** Serves the API documentation, which is generated from the OpenAPI document, and the documents of the package. */
export interface Reference {
  /**
   * returns the page at a path below `/docs/`: the name of a topic or of a document (`operate/install`), or empty for
   * the overview. Returns null if there is no such page
   */
  page: (name: string) => Promise<DocsPage | null>;
  /** returns the picture at a path below `/docs/`, or null if there is no such picture */
  picture: (path: string) => Promise<Picture | null>;
  search: (query: string) => Promise<DocsSearchResult[]>;
  /** returns the page with search results */
  searchPage: (query: string) => Promise<string>;
  /** @param depth number of segments of the requested path below `/docs/`, for the relative links of the page */
  missingPage: (depth: number) => Promise<string>;
}

/** A picture of a document. */
export interface Picture {
  /** value of the `ETag` header */
  tag: string;
  bytes: Uint8Array;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Creates the documentation. A page is rendered when it is first requested, and is cached in two compressed forms.
 * Together they need about 15 KB per page, a fraction of its uncompressed size.
 */
export const createReference = ({ tags, document }: DocsSource, library: Library = EMPTY_LIBRARY): Reference => {
  const topics = tags.map((title) => ({ name: topicName(title), title }));
  const pages = new Map<string, Promise<DocsPage>>();
  let entries: Promise<Entry[]> | null = null;

  const frameFor = async (root: string): Promise<DocsFrame> => {
    const { folders, documents } = await library.contents();
    return {
      root,
      topics,
      folders,
      hasIndex: documents.has('index'),
      stylesheets: [`site/assets/${assetName('docs.css')}`],
      scripts: [`site/assets/${assetName('docs.js')}`],
    };
  };

  const render = async (name: string, title: string): Promise<string> => {
    const frame = await frameFor(rootOf(name));
    return name === ''
      ? pageHtml(OverviewPage({ frame, samples: samplesOf(FIRST_CALL), invalidResponse: INVALID_RESPONSE }))
      : pageHtml(TopicPage({ frame, topic: topicOf(title, document(title)) }));
  };

  const renderedFrom = async (contents: LibraryContents, name: string, path: string): Promise<RenderedDocument> =>
    renderDocument((await library.read(path)).toString(), resolveFrom(contents, rootOf(name), path));

  const renderFile = async ({ name, title, path }: DocumentFile): Promise<string> => {
    const frame = await frameFor(rootOf(name));
    if (path === null) return pageHtml(FolderPage({ frame, folder: folderNamed(frame.folders, name) }));
    const { html, sections } = await renderedFrom(await library.contents(), name, path);
    const listed = sections.filter(({ level }) => level === 2);
    return pageHtml(DocumentPage({ frame, name, title, html, sections: listed }));
  };

  /**
   * Reads the entries for the search. Yields to the event loop between topics, so that other requests are not delayed.
   */
  const readEntries = async (): Promise<Entry[]> => {
    const read = overviewEntries();
    for (const title of tags) {
      read.push(...entriesOf(topicOf(title, document(title))));
      await nextTurn();
    }
    const contents = await library.contents();
    for (const { name, title, path } of contents.documents.values()) {
      if (path === null) continue;
      read.push(...documentEntries({ name, title }, (await renderedFrom(contents, name, path)).sections));
    }
    return read;
  };

  const find = async (query: string): Promise<DocsSearchResult[]> => {
    if (query === '') return [];
    entries ??= readEntries();
    entries.catch(() => (entries = null));
    return search(await entries, query);
  };

  /** Returns a page. Renders the page when it is first requested, and caches it. */
  const remembered = (name: string, html: () => Promise<string>): Promise<DocsPage> => {
    const known = pages.get(name);
    if (known) return known;
    const made = html().then(compressed);
    pages.set(name, made);
    made.catch(() => pages.delete(name));
    return made;
  };

  return {
    page: async (name) => {
      // Only existing pages are cached, because anybody can request any number of names that do not exist.
      const topic = name === '' ? OVERVIEW : topics.find((one) => one.name === name);
      if (topic) return remembered(name, () => render(name, topic.title));
      const file = (await library.contents()).documents.get(name);
      return file ? remembered(name, () => renderFile(file)) : null;
    },
    picture: async (path) => {
      if (!(await library.contents()).pictures.has(path)) return null;
      const bytes = await library.read(path);
      return { tag: tagOf(bytes), bytes };
    },
    search: find,
    searchPage: async (query) => pageHtml(SearchPage({ frame: await frameFor('../'), query, hits: await find(query) })),
    missingPage: async (depth) => pageHtml(MissingPage({ frame: await frameFor('../'.repeat(depth)) })),
  };
};

/** Returns the relative URL of the service's root from a page below `/docs/`; `./` from `/docs` itself. */
const rootOf = (name: string): string => (name === '' ? './' : '../'.repeat(name.split('/').length));

const folderNamed = (folders: readonly DocsFolder[], name: string): DocsFolder => {
  const found = folders.find((folder) => folder.name === name || name.startsWith(`${folder.name}/`));
  if (!found) throw new Error(`There is no folder ${name}.`);
  return found.name === name ? found : folderNamed(found.folders, name);
};

const OVERVIEW = { title: 'Overview' };

/** The first example of the overview. */
const FIRST_CALL = {
  method: 'GET',
  path: '/v1/pages',
  credential: 'KEY',
  idempotencyKey: false,
  json: true,
  stream: false,
} as const;

/** Compresses a page. If a client accepts no encoding, which is rare, the page is decompressed for the response. */
const compressed = async (html: string): Promise<DocsPage> => {
  const gzipped = await compressGzip(html, { level: 9 });
  const brotli = await compressBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return {
    tag: tagOf(html),
    bytes: async (encoding) => (encoding === 'br' ? brotli : encoding === 'gzip' ? gzipped : decompress(gzipped)),
  };
};

const tagOf = (content: string | Buffer): string => hash('sha256', content, 'base64url').slice(0, 22);
