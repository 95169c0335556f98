import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../http.ts';
import { startService } from '../service.ts';

const test = suite('reading the past with ?at=');
const START = Date.UTC(2026, 10, 20, 15);
const service = await startService({ now: START });
const { request, first, second, time } = service;
const key = first.keys.admin;
test.after(() => service.stop());

const moment = (): string => new Date(time.now).toISOString();
const pass = (seconds: number): void => {
  time.now += seconds * 1_000;
};
const create = async (path: string, body: object): Promise<string> => {
  const reply = await request('POST', path, { key, body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};
const get = (path: string, as = key): Promise<Reply> => request('GET', path, { key: as });

const pageId = await create('/v1/pages', { name: 'Shop', subdomain: 'shop' });
pass(60);
const before = moment();
pass(60);
const componentId = await create(`/v1/pages/${pageId}/components`, { name: 'Checkout' });
pass(60);
const withComponent = moment();
pass(60);
await request('PATCH', `/v1/pages/${pageId}/components/${componentId}`, { key, body: { name: 'Payments' } });
pass(60);
await request('DELETE', `/v1/pages/${pageId}`, { key });
pass(600);

test('a request with ?at= shows a resource as it was at that time, even if the resource was renamed or deleted afterwards', async () => {
  assert.is((await get(`/v1/pages/${pageId}`)).status, 404);
  const component = await get(`/v1/pages/${pageId}/components/${componentId}?at=${withComponent}`);
  assert.is((component.json() as { name: string }).name, 'Checkout');
  const page = await get(`/v1/pages/${pageId}?at=${before}`);
  assert.is((page.json() as { name: string }).name, 'Shop');
});

test('a list with ?at= shows the items as they were at that time', async () => {
  assert.equal((await get(`/v1/pages/${pageId}/components?at=${before}`)).json(), []);
  const list = (await get(`/v1/pages/${pageId}/components?at=${withComponent}`)).json() as { name: string }[];
  assert.equal(
    list.map(({ name }) => name),
    ['Checkout'],
  );
});

test('a request with ?at= is 404 for a resource that did not exist yet at that time', async () => {
  assert.is((await get(`/v1/pages/${pageId}/components/${componentId}?at=${before}`)).status, 404);
  assert.is((await get(`/v1/pages/${pageId}?at=2020-01-01`)).status, 404);
});

test('a future or invalid time in ?at= is 400', async () => {
  const future = await get(`/v1/pages/${pageId}?at=${new Date(time.now + 60_000).toISOString()}`);
  assert.is(future.status, 400);
  assert.equal((future.json() as { errors: object }).errors, { query: { at: ['Must not be in the future.'] } });
  assert.is((await get(`/v1/pages/${pageId}?at=soon`)).status, 400);
});

test('a request with ?at= does not find resources of other organizations', async () => {
  assert.is((await get(`/v1/pages/${pageId}?at=${before}`, second.keys.admin)).status, 404);
});

test('the response to a request with ?at= names the position in the log, and may be cached for ever if the time is not recent', async () => {
  const { headers } = await get(`/v1/pages/${pageId}?at=${before}`);
  assert.match(String(headers['uptrail-as-of']), /^2026-11-20T15:01:00\.000000; position=[\w-]{22}$/);
  assert.is(headers['cache-control'], 'private, max-age=31536000, immutable');
  assert.match(String(headers['vary']), 'Authorization');
  assert.ok(headers['etag']);
  const recent = await get(`/v1/pages?at=${new Date(time.now - 1_000).toISOString()}`);
  assert.is(recent.headers['cache-control'], 'private, no-cache');
});

test('the position in the response is that of the newest event of the page up to that time, also for lists that are streamed', async () => {
  const shop = await create('/v1/pages', { name: 'Second shop', subdomain: 'second' });
  pass(60);
  const beforeIncident = moment();
  pass(60);
  const opened = { name: 'Down', body: 'Text', status: 'investigating', components: {} };
  const incident = await create(`/v1/pages/${shop}/incidents`, opened);
  pass(60);
  const withIncident = moment();
  pass(60);
  await request('DELETE', `/v1/pages/${shop}/incidents/${incident}`, { key });
  const positionOf = async (path: string, at: string): Promise<string> => {
    const reply = await get(`/v1/pages/${shop}${path}?at=${at}`);
    assert.is(reply.status, 200, reply.text);
    return String(reply.headers['uptrail-as-of']).split('position=')[1] ?? '';
  };
  const earlier = await positionOf('/incidents', beforeIncident);
  const later = await positionOf('/incidents', withIncident);
  assert.is.not(later, earlier);
  for (const path of ['', '/components', `/incidents/${incident}`, '/incidents/unresolved', '/subscribers'])
    assert.is(await positionOf(path, withIncident), later, path);
});

test.run();
