import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { request, type Reply } from '../../api/http.ts';
import { startService, type Service } from '../../api/service.ts';
import { BROWSER } from '../subscribed-site.ts';

const test = suite<{ service: Service; visit: Visit; pageId: string }>('the hosts and paths of status pages');

type Visit = (host: string, path: string, headers?: Record<string, string>, method?: string) => Promise<Reply>;

const DOMAIN = 'status.acme.test';
const PLACES = { publicUrl: 'https://uptrail.example', publicDomain: 'status.example' };

test.before.each(async (context) => {
  const service = (context.service = await startService({ ...PLACES, trustProxy: '127.0.0.9' }));
  const page = { name: 'Acme', subdomain: 'acme', domain: DOMAIN, language: 'de' };
  const made = await service.request('POST', '/v1/pages', { body: page });
  context.pageId = (made.json() as { id: string }).id;
  await service.request('POST', '/v1/pages', { body: { name: 'Other', subdomain: 'other' } });
  context.visit = (host, path, headers = {}, method = 'GET') =>
    request(service.port, { method, path, headers: { host, accept: BROWSER, ...headers } });
});
test.after.each(({ service }) => service.stop());

const isAcme = ({ status, text }: Reply): boolean =>
  status === 200 && /class="brand" href="[^"]*"><bdi>Acme</.test(text);

test('a page is served at its subdomain, at its custom domain, and at /status on every other host', async ({
  visit,
}) => {
  for (const host of ['acme.status.example', 'ACME.Status.Example.:8080', DOMAIN, `${DOMAIN}.:443`])
    assert.ok(isAcme(await visit(host, '/')), host);
  for (const host of ['localhost', '127.0.0.1:3000', '[::1]', 'uptrail.example', 'unknown.status.example', 'x.test'])
    assert.ok(isAcme(await visit(host, '/status/acme')), host);
});

test('the host of a page serves only this page', async ({ visit, service, pageId }) => {
  const paths = ['/status/other', '/status/acme', '/v1/pages', '/health/live', '/metrics', '/openapi.json'];
  paths.push('/internal/domain-allowed?domain=acme.status.example', '/subscriptions/confirm?token=x', '//status/other');
  paths.push('/%2e%2e/other', '/../other', '/x/..%2f..%2fother', `/v1/pages/${pageId}`);
  for (const path of paths) {
    const reply = await visit('acme.status.example', path, { authorization: service.first.keys.admin });
    assert.is(reply.status, 404, path);
    assert.match(reply.text, 'Seite nicht gefunden', path);
    assert.not.match(reply.text, 'Other');
  }
});

test('an unknown path is 404 for every method', async ({ visit }) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
    assert.is((await visit('acme.status.example', '/v1/login', {}, method)).status, 404, method);
});

test('the host of a page issues tokens only for passwords of that page', async ({ visit, pageId }) => {
  const json = { accept: 'application/json' };
  assert.is((await visit('acme.status.example', `/v1/pages/${pageId}/password-hints`, json)).status, 200);
  assert.is((await visit('other.status.example', `/v1/pages/${pageId}/password-hints`, json)).status, 404);
});

test('the host of the service serves its own paths', async ({ visit }) => {
  for (const host of ['uptrail.example', '127.0.0.1', 'unknown.status.example', 'status.example', 'nobody.test'])
    assert.is((await visit(host, '/health/live', { accept: '*/*' })).status, 200, host);
});

test('an unknown path below a page is 404 in the layout and language of the page, or in the requested format', async ({
  visit,
}) => {
  for (const path of ['/status/acme/nothing', '/status/acme/a/b/c', '/status/acme//', '/status/acme/%zz']) {
    const reply = await visit('localhost', path);
    assert.is(reply.status, 404, path);
    assert.match(reply.text, '<h1>Seite nicht gefunden</h1>');
    assert.is(reply.headers['x-robots-tag'], 'noindex, nofollow');
  }
  const json = await visit('localhost', '/status/acme/nothing.json', { accept: 'application/json' });
  assert.equal([json.status, (json.json() as { code: number }).code], [404, 404]);
  const image = await visit('localhost', '/status/acme/nothing.png', { accept: 'image/png' });
  assert.equal([image.status, image.text], [404, 'Not found.\n']);
  assert.ok(isAcme(await visit('localhost', '/status/acme?utm_source=x&unknown=1')));
});

test('a request with a repeated, missing or malformed Host header is rejected', async ({ service }) => {
  const status = (head: string): Promise<string> =>
    new Promise((resolve) => {
      let received = '';
      const socket = connect(service.port, '127.0.0.1');
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('close', () => {
        resolve(received.slice(9, 12));
      });
      socket.end(`${head}\r\nConnection: close\r\n\r\n`);
    });
  const get = 'GET /status/acme HTTP/1.1';
  assert.is(await status(`${get}\r\nHost: acme.status.example\r\nHost: other.status.example`), '400');
  assert.is(await status(`${get}\r\nHost: acme.status.example/x`), '400');
  assert.is(await status(`${get}\r\nHost: acme.status.example\r\n Host: x`), '400');
  assert.is(await status(get), '400');
  assert.is(await status(`GET /status/acme HTTP/1.0`), '200');
  assert.is(await status(`${get}\r\nHost: ${'a'.repeat(20_000)}`), '431');
  // The host in the request target takes precedence over the Host header.
  assert.is(await status(`GET http://acme.status.example/status/other HTTP/1.1\r\nHost: localhost`), '404');
  assert.is(await status(`GET http://localhost/status/other HTTP/1.1\r\nHost: acme.status.example`), '200');
});

test('X-Forwarded-Host is accepted only from a trusted proxy, and never overrides the host of a page or the service', async ({
  service,
}) => {
  const seen = async (host: string, forwarded: string, localAddress: string): Promise<string> => {
    const headers = { host, accept: BROWSER, 'x-forwarded-host': forwarded };
    const { text } = await request(service.port, { path: '/', headers, localAddress });
    return /class="brand" href="[^"]*"><bdi>(\w+)<\/bdi>/.exec(text)?.[1] ?? 'service';
  };
  assert.is(await seen('127.0.0.1:3000', 'acme.status.example', '127.0.0.1'), 'service');
  assert.is(await seen('127.0.0.1:3000', 'acme.status.example', '127.0.0.9'), 'Acme');
  assert.is(await seen('127.0.0.1:3000', 'other.status.example, acme.status.example', '127.0.0.9'), 'Acme');
  // Otherwise, a client could send X-Forwarded-Host through the proxy, and a cache in front of the proxy would store
  // the wrong page.
  assert.is(await seen('acme.status.example', 'other.status.example', '127.0.0.9'), 'Acme');
  assert.is(await seen('uptrail.example', 'other.status.example', '127.0.0.9'), 'service');
});

test("changes of a page's domain and subdomain, and its deletion, take effect immediately", async ({
  visit,
  service,
  pageId,
}) => {
  assert.ok(isAcme(await visit(DOMAIN, '/')));
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { domain: 'new.acme.test', subdomain: 'acme2' } });
  assert.not(isAcme(await visit(DOMAIN, '/')));
  assert.not(isAcme(await visit('acme.status.example', '/')));
  for (const host of ['new.acme.test', 'acme2.status.example']) assert.ok(isAcme(await visit(host, '/')), host);
  await service.request('DELETE', `/v1/pages/${pageId}`);
  for (const host of ['new.acme.test', 'acme2.status.example']) assert.not(isAcme(await visit(host, '/')), host);
});

test('a custom domain below PUBLIC_DOMAIN or at PUBLIC_URL cannot take over another page or the service', async ({
  visit,
  service,
}) => {
  for (const [subdomain, domain] of [
    ['thief', 'acme.status.example'],
    ['thief2', 'uptrail.example'],
  ])
    await service.request('POST', '/v1/pages', { body: { name: 'Thief', subdomain, domain } });
  assert.ok(isAcme(await visit('acme.status.example', '/')));
  assert.not.match((await visit('uptrail.example', '/')).text, '<title>Thief');
});

test('the subdomain redirects to the custom domain with path and query if the page is configured so', async ({
  visit,
  service,
  pageId,
}) => {
  assert.ok(isAcme(await visit('acme.status.example', '/')));
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { redirect_to_domain: true } });
  for (const path of ['/', '/history?month=2026-11&x=%0d%0aSet-Cookie:a', '//evil.test/..', '/nothing']) {
    const { status, headers } = await visit('acme.status.example', path);
    assert.equal([status, headers.location], [308, `https://${DOMAIN}${path}`]);
    assert.is(headers['cache-control'], 'no-cache');
  }
  assert.ok(isAcme(await visit(DOMAIN, '/')));
  assert.ok(isAcme(await visit('localhost', '/status/acme')));
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { domain: null } });
  assert.ok(isAcme(await visit('acme.status.example', '/')));
});

test('only a trusted proxy or this machine can query which domains need certificates', async ({ service }) => {
  const answerFor = (domain: string, headers: Record<string, string> = {}, localAddress = '127.0.0.1') =>
    request(service.port, { path: `/internal/domain-allowed?domain=${domain}`, headers, localAddress });
  for (const domain of ['acme.status.example', DOMAIN.toUpperCase(), `${DOMAIN}.`])
    assert.is((await answerFor(domain)).status, 200, domain);
  assert.is((await answerFor(DOMAIN, {}, '127.0.0.9')).status, 200);
  for (const domain of ['unknown.status.example', 'status.example', 'uptrail.example', 'evil.test', '127.0.0.1', ''])
    assert.is((await answerFor(domain)).status, 404, domain);
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-forwarded-host'])
    assert.is((await answerFor(DOMAIN, { [name]: '127.0.0.1' })).status, 404, name);
});

test.run();
