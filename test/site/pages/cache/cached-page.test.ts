import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../../../api/http.ts';
import { request } from '../../../api/http.ts';
import { startService, type Service } from '../../../api/service.ts';

const test = suite('cached status pages');

const BROWSER = 'text/html,*/*;q=0.8';

const create = async (service: Service, path: string, body: object, key?: string): Promise<string> => {
  const made = await service.request('POST', path, { body, ...(key !== undefined && { key }) });
  assert.ok(made.status < 300, made.text);
  return (made.json() as { id: string }).id;
};

const visitOf =
  (service: Service) =>
  (subdomain: string, headers: Record<string, string> = {}, path = ''): Promise<Reply> =>
    request(service.port, { path: `/status/${subdomain}${path}`, headers: { accept: BROWSER, ...headers } });

/** Starts a service with the page `acme`, which has a component, and with a page of another organization. */
const serving = async (page: object = {}) => {
  const service = await startService({ now: Date.parse('2026-11-20T15:00:00Z') });
  const pageId = await create(service, '/v1/pages', { name: 'Acme', subdomain: 'acme', ...page });
  const componentId = await create(service, `/v1/pages/${pageId}/components`, { name: 'Shop' });
  const other = await create(service, '/v1/pages', { name: 'Globex', subdomain: 'globex' }, service.second.keys.editor);
  return { service, pageId, componentId, other, visit: visitOf(service) };
};

test('a cached page shows every change to the page, its components and its incidents that precedes the request', async () => {
  const { service, pageId, componentId, visit } = await serving();
  const tags = new Set<unknown>();
  const seen = async (text: string | RegExp): Promise<void> => {
    const reply = await visit('acme');
    assert.match(reply.text, text);
    tags.add(reply.headers.etag);
  };
  await seen('Shop');
  await seen('Shop');
  assert.is(tags.size, 1);
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { name: 'Acme Corp' } });
  await seen('Acme Corp');
  await service.request('PATCH', `/v1/pages/${pageId}/components/${componentId}`, { body: { name: 'Store' } });
  await seen('Store');
  const incident = {
    name: 'Down',
    body: 'It is.',
    status: 'investigating',
    components: { [componentId]: 'major_outage' },
  };
  await create(service, `/v1/pages/${pageId}/incidents`, incident);
  await seen(/major/i);
  const second = await create(service, `/v1/pages/${pageId}/components`, { name: 'Search' });
  await seen('Search');
  await service.request('DELETE', `/v1/pages/${pageId}/components/${second}`);
  assert.not.match((await visit('acme')).text, 'Search');
  await service.stop();
});

test('a cached page is sent in the encoding that the client accepts, with the same ETag in each encoding', async () => {
  const { service, pageId, visit } = await serving();
  for (let index = 0; index < 10; index++)
    await create(service, `/v1/pages/${pageId}/components`, { name: `Component ${index.toString().repeat(40)}` });
  const fetched = async (accepted: string) => {
    const headers = { accept: BROWSER, 'accept-encoding': accepted };
    const outgoing = get({ host: '127.0.0.1', port: service.port, path: '/status/acme', headers });
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { headers: incoming.headers, body: await buffer(incoming) };
  };
  const plain = await visit('acme');
  const brotli = await fetched('gzip, br');
  const gzip = await fetched('gzip');
  assert.equal(
    [plain, brotli, gzip].map(({ headers }) => headers['content-encoding']),
    [undefined, 'br', 'gzip'],
  );
  assert.is(brotliDecompressSync(brotli.body).toString(), plain.text);
  assert.is(gunzipSync(gzip.body).toString(), plain.text);
  assert.ok(brotli.body.length < plain.text.length / 2);
  assert.equal([brotli.headers.etag, gzip.headers.etag], [plain.headers.etag, plain.headers.etag]);
  const known = { 'if-none-match': plain.headers.etag ?? '', 'accept-encoding': 'br' };
  assert.is((await visit('acme', known)).status, 304);
  assert.is(plain.headers['vary'], 'Accept-Encoding, Cookie');
  await service.stop();
});

test('a cached page can be stored in shared caches only while the page is public', async () => {
  const { service, pageId, visit } = await serving();
  const cacheControl = async (): Promise<unknown> => (await visit('acme')).headers['cache-control'];
  assert.is(await cacheControl(), 'public, max-age=10, stale-while-revalidate=20, stale-if-error=3600');
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { ip_restrictions: '127.0.0.0/8' } });
  assert.is(await cacheControl(), 'private, no-cache');
  await service.stop();
});

test('a cached page is not shown to a visitor who has lost access', async () => {
  const { service, pageId, visit } = await serving();
  assert.is((await visit('acme')).status, 200);
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { ip_restrictions: '192.0.2.1' } });
  assert.is((await visit('acme')).status, 404);
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { ip_restrictions: null } });
  assert.is((await visit('acme')).status, 200);
  const password = { name: 'all', password: 'correct horse battery' };
  const made = await service.request('POST', `/v1/pages/${pageId}/passwords`, { body: password });
  assert.ok(made.status < 300, made.text);
  const refused = await visit('acme');
  assert.is(refused.status, 401);
  assert.not.match(refused.text, 'Shop');
  assert.not.match(String(refused.headers['cache-control']), 'public');
  await service.stop();
});

test('the cache separates organizations, languages, themes and URLs', async () => {
  const { service, visit } = await serving();
  const acme = await visit('acme');
  const globex = await visit('globex');
  assert.match(acme.text, 'Acme');
  assert.not.match(globex.text, /Acme|Shop/);
  const german = await visit('acme', { cookie: 'uptrail-language=de; uptrail-theme=dark' });
  assert.match(german.text, /<html[^>]* lang="de"/);
  assert.not.match((await visit('acme')).text, /<html[^>]* lang="de"/);
  assert.match((await visit('acme', {}, '/')).text, 'href="./');
  assert.match(acme.text, 'href="acme/');
  await service.stop();
});

test.run();
