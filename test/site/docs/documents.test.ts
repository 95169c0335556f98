import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveFrom } from '../../../site/docs/documents/links.ts';
import { openLibrary, type Library } from '../../../site/docs/documents/library.ts';
import { renderDocument } from '../../../site/docs/documents/markdown.ts';
import { createSlugs } from '../../../site/docs/documents/slugs.ts';
import { createReference, type Reference } from '../../../site/docs/reference.ts';
import type { DocsSearchResult } from '../../../views/docs/model.ts';
import { request, type Reply } from '../../api/http.ts';
import { startService } from '../../api/service.ts';
import { inProject } from '../../project.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { assertWellFormedHtml, loadedFrom } from '../html-assertions.ts';
import { BROWSER } from '../subscribed-site.ts';
import { TOPICS } from './documentation.ts';

const test = suite('documents under /docs');

const service = await startService();
test.after(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  request(service.port, { path, headers: { accept: BROWSER, ...headers } });

const packaged = openLibrary();

/** Writes documents to a folder, and opens a library of them. @param files the texts by path */
const libraryOf = (folder: string, files: Readonly<Record<string, string>>): Library => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return openLibrary(pathToFileURL(`${folder}/`));
};

const referenceOf = (library: Library): Reference =>
  createReference({ tags: [], document: () => ({ paths: {}, components: { schemas: {} } }) }, library);

const htmlOf = async (reference: Reference, name: string): Promise<string> => {
  const page = await reference.page(name);
  assert.ok(page, name);
  return Buffer.from(await page.bytes(null)).toString();
};

const rendered = (text: string): string => renderDocument(text, (address) => address).html;

test('every document of the package has a well-formed page that loads nothing from other hosts', async () => {
  const reference = createReference(
    { tags: [], document: () => ({ paths: {}, components: { schemas: {} } }) },
    packaged,
  );
  const { documents } = await packaged.contents();
  assert.ok(documents.size > 15);
  for (const name of documents.keys()) {
    const html = await htmlOf(reference, name);
    assertWellFormedHtml(html);
    for (const address of loadedFrom(html)) assert.not.match(address, /^(?:https?:)?\/\//, name);
  }
});

test('links in documents lead to existing pages, sections and pictures', async () => {
  const contents = await packaged.contents();
  const ids = new Map<string, Set<string>>();
  const links: { from: string; address: string }[] = [];
  for (const { name, path } of contents.documents.values()) {
    if (path === null) continue;
    const root = '../'.repeat(name.split('/').length);
    const text = (await packaged.read(path)).toString();
    const { html, sections } = renderDocument(text, resolveFrom(contents, root, path));
    ids.set(name, new Set(sections.map(({ anchor }) => anchor)));
    for (const [, address = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) links.push({ from: name, address });
  }
  for (const { from, address } of links.filter(({ address: to }) => !/^(?:https?:|mailto:)/.test(to))) {
    const { pathname, hash } = new URL(address, `http://localhost/docs/${from}`);
    const name = pathname.replace('/docs/', '');
    if (pathname === '/openapi.json' || contents.pictures.has(name)) continue;
    assert.ok(contents.documents.has(name), `${from} links to ${address}`);
    if (hash !== '') assert.ok(ids.get(name)?.has(hash.slice(1)), `${from} links to ${address}`);
  }
});

test('no folder of documents has the name of a topic of the API', async () => {
  const { documents } = await packaged.contents();
  for (const { name } of TOPICS) assert.not.ok(documents.has(name), name);
  assert.not.ok(documents.has('search'));
});

test('headings of documents have the same anchors as on GitHub', () => {
  const slug = createSlugs();
  for (const [heading, anchor] of [
    ["What's new?", 'whats-new'],
    ['`uptrail run --server`', 'uptrail-run---server'],
    ['A, b & c', 'a-b--c'],
    ['RESULT_RETENTION_DAYS', 'result_retention_days'],
    ['Größe', 'größe'],
    ['Limits', 'limits'],
    ['Limits', 'limits-1'],
    ['Limits 1', 'limits-1-1'],
    ['Limits', 'limits-2'],
  ] as const)
    assert.is(slug(heading.replaceAll('`', '')), anchor, heading);
  const html = rendered('# A `code` heading\n\n## [Linked](x.md) heading\n');
  assert.match(
    html,
    '<h1 id="a-code-heading"><a class="anchor" href="#a-code-heading">A <code>code</code> heading</a></h1>',
  );
  assert.match(html, '<h2 id="linked-heading"><a href="x.md">Linked</a> heading</h2>');
});

test('HTML in a document is shown as text, except comments on separate lines, which are left out', () => {
  const html = rendered(
    '# A\n\n<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<!-- tour -->\n\nText\n<!-- /tour -->\n\n```html\n<!-- kept -->\n```\n',
  );
  assert.not.match(html, /<script|<img/);
  assert.match(html, '&lt;script&gt;');
  assert.not.match(html, 'tour');
  assert.match(html, '&lt;!-- kept --&gt;');
});

test('URLs of scripts, data and files, and URLs without a scheme, are not linked in documents', () => {
  for (const address of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    '//evil.example',
    '/v1/pages',
  ])
    assert.not.match(rendered(`[x](${address})`), '<a ', address);
  for (const address of ['https://example.org/', 'mailto:a@example.org', '../a/b.md#c', '#c'])
    assert.match(rendered(`[x](${address})`), `href="${address}"`);
});

test('tables of documents have no inline styles, and tables and code can be scrolled by keyboard', () => {
  const html = rendered('| a | b |\n| --: | :-: |\n| 1 | 2 |\n\n```sh\nls\n```\n\n| a |\n| - |\n| 1 |\n');
  assert.not.match(html, 'style=');
  assert.match(html, '<td class="right">1</td>');
  assert.match(html, '<td class="center">2</td>');
  assert.match(html, '<div class="wide" tabindex="0" role="region" aria-label="Table 2">');
  assert.match(html, '<pre tabindex="0" role="region" aria-label="Code 1">');
});

test(
  'relative links lead to the pages of documents, and links to files outside of the package are shown as text',
  inTemporaryFolder(async (folder) => {
    const library = libraryOf(folder, {
      'index.md': '# Documents\n\n[Install](operate/install.md#systemd) [Operate](operate/) [Readme](../README.md)\n',
      'operate/index.md': '# Operate\n\n- [Watch](watch.md)\n- [Install](install.md)\n',
      'operate/install.md':
        '# Install\n\n## systemd\n\n[unit](../../deploy/uptrail.service) [full](runbooks/disk-full.md) [up](../index.md)\n![Picture](../pictures/a.png) ![None](b.png) [API](../reference/openapi.json)\n',
      'operate/watch.md': '# Watch\n\n[self](#watch) [out](../../../etc/passwd.md)\n',
      'operate/runbooks/disk-full.md': '# When the disk is full\n\n[Watch](../watch.md)\n',
      'pictures/a.png': 'png',
      'secret.md': '# Not in a folder\n',
    });
    const reference = referenceOf(library);
    const index = await htmlOf(reference, 'index');
    assert.match(index, '<a href="../docs/operate/install#systemd">Install</a>');
    assert.match(index, '<a href="../docs/operate">Operate</a>');
    assert.match(index, '<span class="file" title="../README.md">Readme</span>');
    const install = await htmlOf(reference, 'operate/install');
    assert.match(install, '<span class="file" title="../../deploy/uptrail.service">unit</span>');
    assert.match(install, 'href="../../docs/operate/runbooks/disk-full"');
    assert.match(install, 'href="../../docs/index"');
    assert.match(install, '<img src="../../docs/pictures/a.png" alt="Picture"');
    assert.match(install, '<a href="../../openapi.json">API</a>');
    assert.match(install, ' None ');
    assert.match(await htmlOf(reference, 'operate/watch'), '<a href="#watch">self</a>');
    assert.match(await htmlOf(reference, 'operate/watch'), '<span class="file" title="../../../etc/passwd.md">');
    assert.match(await htmlOf(reference, 'operate/runbooks/disk-full'), 'href="../../../docs/operate/watch"');
    assert.is(await reference.page('secret'), null);
    assert.is(await reference.page('operate/../secret'), null);
    assert.is(await reference.picture('operate/b.png'), null);
  }),
);

test(
  'the navigation lists all folders, the documents of the current folder in the order of its index, and the sections of the current document',
  inTemporaryFolder(async (folder) => {
    const reference = referenceOf(
      libraryOf(folder, {
        'develop/map.md': '# Map\n',
        'operate/index.md': '# Operate\n\n[Watch](watch.md), [Backup](backup.md)\n',
        'operate/backup.md': '# Backup\n\n## Restore\n',
        'operate/watch.md': '# Watch\n',
        'operate/another.md': '# Another\n',
        'operate/runbooks/disk-full.md': '# When the disk is full\n',
      }),
    );
    const html = await htmlOf(reference, 'operate/backup');
    const navigation = html.slice(html.indexOf('<nav'), html.indexOf('</nav>'));
    const links = [...navigation.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) =>
      href.replace('../../docs/', ''),
    );
    assert.equal(links, [
      'operate',
      'operate/watch',
      'operate/backup',
      '#restore',
      'operate/another',
      'operate/runbooks',
      'develop',
    ]);
    assert.match(navigation, /<a href="[^"]*operate\/backup" aria-current="page">Backup<\/a>/);
    const runbooks = await htmlOf(reference, 'operate/runbooks');
    assertWellFormedHtml(runbooks);
    assert.match(runbooks, '<h1>Runbooks</h1>');
    assert.match(runbooks, '<a href="../../docs/operate/runbooks/disk-full">When the disk is full</a>');
  }),
);

test(
  'a document is read and rendered once, when it is first requested',
  inTemporaryFolder(async (folder) => {
    const library = libraryOf(folder, { 'operate/watch.md': '# Watch\n' });
    const read: string[] = [];
    const reference = referenceOf({
      contents: library.contents,
      read: (path) => {
        read.push(path);
        return library.read(path);
      },
    });
    assert.equal(read, []);
    await reference.page('operate/watch');
    await reference.page('operate/watch');
    assert.equal(read, ['operate/watch.md']);
  }),
);

test('the documentation search finds sections by heading and text, and shows their documents', async () => {
  const ask = async (query: string): Promise<DocsSearchResult[]> => {
    const path = `/docs/search?${new URLSearchParams({ q: query }).toString()}`;
    return ((await get(path, { accept: 'application/json' })).json() as { hits: DocsSearchResult[] }).hits;
  };
  const [first] = await ask('restoring a cluster');
  assert.is(first?.topic.name, 'operate/backup');
  assert.is(first?.call, null);
  assert.ok((await ask('ping_group_range')).some(({ topic }) => topic.name === 'operate/install'));
  const { text } = await get('/docs/search?q=ping_group_range');
  assert.match(text, 'href="../docs/operate/install#');
});

test('pages of documents are compressed, can be cached for some minutes, and are not sent again if unchanged', async () => {
  const reply = await get('/docs/operate/install');
  assert.is(reply.status, 200);
  assert.is(reply.headers['cache-control'], 'public, max-age=600');
  assert.is(reply.headers['vary'], 'Accept-Encoding');
  assert.match(String(reply.headers['content-security-policy']), "default-src 'none'");
  assert.not.match(String(reply.headers['content-security-policy']), 'unsafe');
  const again = await get('/docs/operate/install', { 'if-none-match': reply.headers['etag'] ?? '' });
  assert.is(again.status, 304);
  const response = await fetch(`http://127.0.0.1:${service.port}/docs/operate/install`, {
    headers: { 'accept-encoding': 'br' },
  });
  assert.is(response.headers.get('content-encoding'), 'br');
  assert.is(await response.text(), reply.text);
});

test('pictures of documents are sent unchanged', async () => {
  const accept = 'image/avif,image/webp,image/png,image/*;q=0.8';
  const response = await fetch(`http://127.0.0.1:${service.port}/docs/pictures/checks.png`, {
    headers: { accept },
  });
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'image/png');
  assert.equal(Buffer.from(await response.arrayBuffer()), readFileSync(inProject('docs/pictures/checks.png')));
  const again = await get('/docs/pictures/checks.png', { 'if-none-match': response.headers.get('etag') ?? '' });
  assert.is(again.status, 304);
  assert.is((await get('/docs/pictures/none.png')).status, 404);
});

test('each document has one URL, and other spellings of that URL redirect to it', async () => {
  for (const [path, location] of [
    ['/docs/operate/install/', '/docs/operate/install'],
    ['/docs/operate/install.md', '/docs/operate/install'],
    ['/docs/operate/index.md', '/docs/operate'],
    ['/docs/operate/', '/docs/operate'],
  ] as const) {
    const reply = await get(path);
    assert.is(reply.status, 308, path);
    assert.is(new URL(reply.headers['location'] ?? '', `http://localhost${path}`).pathname, location);
  }
});

test('an unknown document is 404, and its page has a link to the documentation', async () => {
  for (const path of [
    '/docs/operate/nothing',
    '/docs/operate/nothing.md',
    '/docs/operate/runbooks/nothing',
    '/docs/operate/%2e%2e%2findex',
    '/docs/operate%2finstall',
    '/docs/operate/..%2f..%2fpackage.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%00/x',
  ]) {
    const reply = await get(path);
    assert.is(reply.status, 404, path);
    assertWellFormedHtml(reply.text);
  }
  assert.match((await get('/docs/operate/nothing')).text, 'href="../../docs"');
});

test.run();
