import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { v1Routes } from '../../../api/v1/index.ts';
import { reasonOf } from '../../../http/reasons.ts';
import { openLibrary } from '../../../site/docs/documents/library.ts';
import { INVALID_RESPONSE, INVALID_REQUEST } from '../../../site/docs/invalid-response.ts';
import { request, type Reply } from '../../api/http.ts';
import { startService } from '../../api/service.ts';
import { inProject } from '../../project.ts';
import { assertWellFormedHtml, loadedFrom } from '../html-assertions.ts';
import { BROWSER } from '../subscribed-site.ts';
import { anchorLines, ANCHORS, OPERATIONS, TOPICS } from './documentation.ts';

const test = suite('the pages of the API documentation');

const service = await startService();
test.after(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
  request(service.port, { method, path, headers: { accept: BROWSER, ...headers } });

const PAGES = ['/docs', ...TOPICS.map(({ name }) => `/docs/${name}`)];
/** Paths of the document pages that the navigation links to. */
const DOCUMENTS = new Set([...(await openLibrary().contents()).documents.keys()].map((name) => `/docs/${name}`));
const texts = new Map<string, string>();
for (const path of PAGES) {
  const reply = await get(path);
  assert.is(reply.status, 200, path);
  texts.set(path, reply.text);
}
const textOf = (path: string): string => texts.get(path) ?? '';

test('the API documentation has a section for every declared operation', () => {
  const shown = new Set(
    OPERATIONS.flatMap(({ shown: { methods, path } }) => methods.map((method) => `${method} ${path}`)),
  );
  for (const { methods, path } of v1Routes) {
    for (const method of methods) assert.ok(shown.has(`${method.toUpperCase()} ${path}`), `${method} ${path}`);
  }
  for (const { topic, shown: operation } of OPERATIONS) {
    assert.match(textOf(`/docs/${topic.name}`), `<section class="operation" id="${operation.anchor}"`);
  }
});

test('the API documentation still has all anchors of earlier releases', () => {
  const known = readFileSync(inProject(ANCHORS), 'utf8').trim().split('\n');
  const anchors = anchorLines();
  assert.equal(
    known.filter((line) => !anchors.includes(line)),
    [],
    'anchors that others may link to are gone; `npm run generate` adds new ones',
  );
});

test('the pages of the API documentation are well formed, without inline styles or scripts', () => {
  for (const path of PAGES) {
    assertWellFormedHtml(textOf(path));
    assert.match(textOf(path), /<nav class="topics"[^>]*aria-label="Documentation"/);
    assert.match(textOf(path), 'role="search"');
    assert.match(textOf(path), '<a class="skip" href="#content">');
  }
});

test('the API documentation loads only the stylesheet and the script of this service', () => {
  for (const path of PAGES) {
    const loaded = loadedFrom(textOf(path)).filter((address) => !address.startsWith('data:image/svg+xml,'));
    assert.is(loaded.length, 2, path);
    for (const address of loaded) assert.match(address, /^(?:\.\/|\.\.\/)site\/assets\/docs-\w+\.(?:css|js)$/);
    assert.not.match(textOf(path), /(?:src|href)="(?:https?:)?\/\//);
  }
});

test('the API documentation loads only assets that exist', async () => {
  for (const address of loadedFrom(textOf('/docs')).filter((one) => !one.startsWith('data:')))
    assert.is((await get(address.replace('./', '/'))).status, 200, address);
});

test('the API documentation links only to pages and sections that exist', () => {
  for (const path of PAGES) {
    for (const [, href = ''] of textOf(path).matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const { pathname, hash } = new URL(href, `http://localhost${path}`);
      if (pathname === '/' || pathname === '/openapi.json' || DOCUMENTS.has(pathname)) continue;
      assert.ok(texts.has(pathname), `${path} links to ${href}`);
      if (hash !== '') assert.match(textOf(pathname), `id="${hash.slice(1)}"`, `${path} links to ${href}`);
    }
  }
});

test('the pages of the API documentation have at most 26 KiB compressed', () => {
  for (const path of PAGES) {
    const size = gzipSync(textOf(path), { level: 9 }).length;
    assert.ok(size <= 26 * 1_024, `${path} has ${size} bytes`);
  }
});

test('the API documentation shows the roles, rules, errors and examples of an operation', () => {
  const text = textOf('/docs/incidents');
  const section = text.slice(text.indexOf('id="create-incident"'), text.indexOf('id="list-unresolved-incidents"'));
  for (const part of [
    '<em>editor</em> or <em>admin</em>',
    '1 to 25,000 characters',
    'Makes the incident a maintenance',
    'default <code>true</code>',
    '<code>under_maintenance</code>',
    'href="../docs#error-422"',
    'href="#object-incident"',
    'Checkout fails for some cards',
    'Response 201 Created',
  ])
    assert.match(section, part);
});

test('the API documentation lists fields that all variants of a body share once, and other fields for each variant', () => {
  const text = textOf('/docs/checks');
  const section = text.slice(text.indexOf('id="create-check"'), text.indexOf('id="get-regions"'));
  assert.is(section.match(/<code>interval<\/code>/g)?.length, 1);
  for (const type of ['web', 'tcp', 'dns', 'multistep'])
    assert.match(section, `<summary><code>${type}</code></summary>`);
});

test('the API documentation shows the real response to an invalid request', async () => {
  const page = await service.request('POST', '/v1/pages', { body: { name: 'Acme' } });
  const { id } = page.json() as { id: string };
  const reply = await service.request('POST', `/v1/pages/${id}/incidents`, { body: INVALID_REQUEST });
  assert.equal(reply.json(), JSON.parse(INVALID_RESPONSE));
});

test('the API documentation contains the error messages of the service', () => {
  for (const [, status = '', name = ''] of textOf('/docs').matchAll(/<dt id="error-(\d+)">\1 ([^<]+)<\/dt>/g))
    assert.is(name, reasonOf(Number(status)));
  const shown = new Set(OPERATIONS.flatMap(({ shown: { errors } }) => errors));
  for (const status of shown) assert.match(textOf('/docs'), `id="error-${status}"`);
});

test('the API documentation can be cached for some minutes, and is not sent again while it is unchanged', async () => {
  const reply = await get('/docs/incidents');
  assert.is(reply.headers['cache-control'], 'public, max-age=600');
  assert.is(reply.headers['vary'], 'Accept-Encoding');
  const tag = reply.headers['etag'] ?? '';
  assert.match(tag, /^"[\w-]+"$/);
  const again = await get('/docs/incidents', { 'if-none-match': tag });
  assert.is(again.status, 304);
  assert.is(again.text, '');
});

test('the security policy of the API documentation allows only its own stylesheet and script', async () => {
  const policy = (await get('/docs')).headers['content-security-policy'];
  assert.type(policy, 'string');
  assert.match(String(policy), "default-src 'none'");
  assert.not.match(String(policy), 'unsafe');
});

test('the API documentation is compressed for clients that accept that, and each encoding has its own ETag', async () => {
  const plain = await get('/docs/checks');
  const tags = new Set([plain.headers['etag']]);
  for (const encoding of ['br', 'gzip']) {
    const response = await fetch(`http://127.0.0.1:${service.port}/docs/checks`, {
      headers: { 'accept-encoding': encoding },
    });
    assert.is(response.headers.get('content-encoding'), encoding);
    tags.add(response.headers.get('etag') ?? '');
    assert.is(await response.text(), plain.text);
  }
  assert.is(tags.size, 3);
});

test('the API documentation responds to HEAD as to GET but without a body, and rejects other methods', async () => {
  const head = await get('/docs', {}, 'HEAD');
  assert.is(head.status, 200);
  assert.is(head.text, '');
  assert.is(head.headers['etag'], (await get('/docs')).headers['etag']);
  const posted = await get('/docs/incidents', {}, 'POST');
  assert.is(posted.status, 405);
  assert.is(posted.headers['allow'], 'GET, HEAD');
});

test('each page of the API documentation has one URL', async () => {
  for (const [path, location] of [
    ['/docs/', '/docs'],
    ['/docs/incidents/', '/docs/incidents'],
    ['/docs/search/?q=x', '/docs/search?q=x'],
  ] as const) {
    const reply = await get(path);
    assert.is(reply.status, 308, path);
    const { pathname, search } = new URL(reply.headers['location'] ?? '', `http://localhost${path}`);
    assert.is(pathname + search, location);
  }
});

test('an unknown topic of the API documentation is 404, and its page has a link to the documentation', async () => {
  const reply = await get('/docs/%3Cscript%3Ealert(1)%3C%2Fscript%3E');
  assert.is(reply.status, 404);
  assertWellFormedHtml(reply.text);
  assert.match(reply.text, 'href="../docs"');
  assert.not.match(reply.text, 'alert(1)');
});

test.run();
