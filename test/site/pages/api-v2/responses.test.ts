import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { request } from '../../../api/http.ts';
import { startPublishedSite, type PublishedSite } from '../published-site.ts';

const test = suite<{ site: PublishedSite }>("responses of Statuspage's public API");

test.before.each(async (context) => {
  context.site = await startPublishedSite();
});
test.after.each(({ site }) => site.stop());

const KEPT = 'max-age=10, public, s-maxage=10, stale-while-revalidate=20, stale-if-error=3600';

test('responses of a public page can be stored in shared caches and read by scripts of any origin', async ({
  site,
}) => {
  for (const accept of ['*/*', 'application/json', 'text/html']) {
    const { status, headers } = await site.get('api/v2/status.json', { accept, origin: 'https://example.com' });
    assert.equal(
      [status, headers['cache-control'], headers['access-control-allow-origin'], headers['content-type']],
      [200, KEPT, '*', 'application/json; charset=utf-8'],
    );
  }
  assert.is((await site.get('api/v2/status.json')).headers['x-robots-tag'], undefined);
  await site.change('PATCH', '', { hidden_from_search: true });
  assert.is((await site.get('api/v2/status.json')).headers['x-robots-tag'], 'noindex');
});

test('responses of a page restricted to some addresses cannot be stored in shared caches or read by scripts of other origins', async ({
  site,
}) => {
  await site.change('PATCH', '', { ip_restrictions: '127.0.0.1' });
  const { status, headers } = await site.get('api/v2/status.json', { origin: 'https://example.com' });
  assert.equal(
    [status, headers['cache-control'], headers['access-control-allow-origin']],
    [200, 'private, no-cache', undefined],
  );
  await site.change('PATCH', '', { ip_restrictions: '192.0.2.1' });
  assert.is((await site.get('api/v2/status.json')).status, 404);
});

test('responses are compressed, and have an ETag that does not change while the content is unchanged', async ({
  site,
}) => {
  for (let at = 0; at < 10; at++) await site.component(`Component ${at}`);
  const { headers } = await site.get('api/v2/components.json', { 'accept-encoding': 'gzip' });
  assert.equal([headers['content-encoding'], headers.vary], ['gzip', 'Accept-Encoding']);
  const tag = headers.etag ?? '';
  site.pass(3_600);
  assert.is((await site.get('api/v2/components.json', { 'if-none-match': tag })).status, 304);
  await site.component('Another');
  assert.is((await site.get('api/v2/components.json', { 'if-none-match': tag })).status, 200);
});

test('preflight responses list the methods, and scripts of any origin can read errors', async ({ site }) => {
  const preflight = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
  const { status, headers, text } = await site.get('api/v2/subscribers.json', preflight, 'OPTIONS');
  assert.equal(
    [status, headers['access-control-allow-origin'], headers['access-control-allow-methods'], text],
    [204, '*', 'POST', ''],
  );
  const read = await site.get('api/v2/summary.json', preflight, 'OPTIONS');
  assert.equal([read.status, read.headers['access-control-allow-methods']], [204, 'GET, HEAD']);
  const refused = await site.get('api/v2/subscribers.json');
  assert.equal([refused.status, refused.headers['access-control-allow-origin']], [405, '*']);
  const page = await site.get('history', preflight, 'OPTIONS');
  assert.equal([page.status, page.headers['access-control-allow-origin']], [405, undefined], 'pages have none');
});

test('responses of one page contain nothing about pages of other organizations', async ({ site }) => {
  const { id } = await site.incident({ name: 'Ours' });
  const { keys } = site.service.second;
  const made = await site.service.request('POST', '/v1/pages', {
    key: keys.editor,
    body: { name: 'Other', subdomain: 'other' },
  });
  assert.is(made.status, 200);
  const elsewhere = (path: string) => request(site.service.port, { path: `/status/other/api/v2/${path}` });
  assert.is((await elsewhere(`incidents/${String(id)}.json`)).status, 404);
  assert.not.match((await elsewhere('summary.json')).text, 'Ours');
  assert.not.match((await elsewhere('incidents.json')).text, 'Ours');
  assert.is((await request(site.service.port, { path: '/status/none/api/v2/summary.json' })).status, 404);
});

test('subscribers.json responds in the same way to known and to new addresses, and accepts JSON and forms', async ({
  site,
}) => {
  const post = async (body: object | string, type = 'application/json') => {
    return request(site.service.port, {
      method: 'POST',
      path: '/status/acme/api/v2/subscribers.json',
      headers: { 'content-type': type },
      body,
    });
  };
  const shop = await site.component('Shop');
  const first = await post({ subscriber: { email: 'ida@example.com', component_id: shop } });
  assert.is(first.status, 201, first.text);
  const { page, subscriber } = first.json() as { page: { name: string }; subscriber: Record<string, unknown> };
  const { id, ...shown } = subscriber;
  assert.type(id, 'string');
  assert.is(page.name, 'Acme');
  assert.equal(shown, {
    mode: 'email',
    email: 'i***@example.com',
    phone_number: null,
    endpoint: null,
    component_ids: [shop],
    incident_id: null,
    created_at: '2026-11-20T15:00:00.123Z',
  });
  const form = `subscriber%5Bemail%5D=ida%40example.com&subscriber%5Bcomponent_ids%5D%5B%5D=${shop}`;
  const again = await post(form, 'application/x-www-form-urlencoded');
  assert.equal([again.status, again.text], [201, first.text]);
  const hook = (await post({ subscriber: { endpoint: 'http://127.0.0.1:9/hook' } })).json() as { secret: string };
  assert.match(hook.secret, /^whsec_/);
});

test('subscribers.json names invalid fields, and rejects kinds of subscriptions that the page does not accept', async ({
  site,
}) => {
  const post = (body: object) =>
    request(site.service.port, { method: 'POST', path: '/status/acme/api/v2/subscribers.json', body });
  const wrong = await post({ subscriber: { email: 'ida', incident_id: 'none' } });
  assert.equal(
    [wrong.status, Object.keys((wrong.json() as { errors: { json: object } }).errors.json).sort()],
    [422, ['subscriber.email', 'subscriber.incident_id']],
  );
  assert.is((await post({})).status, 422);
  assert.is((await post({ subscriber: { phone_number: '2025550123' } })).status, 403, 'no SMS by default');
  await site.change('PATCH', '', { ip_restrictions: '127.0.0.1' });
  assert.is((await post({ subscriber: { email: 'ida@example.com' } })).status, 404, 'the page is not for everybody');
});

test('responses contain hostile texts verbatim', async ({ site }) => {
  const hostile = `</script><script>alert(1)</script>\u2028]]>"'\\\u0007\ud83d\ude00`;
  await site.component(hostile.slice(0, 90));
  await site.incident({ name: hostile, body: hostile });
  const reply = await site.get('api/v2/summary.json', { 'accept-encoding': 'gzip' });
  assert.is(reply.headers['x-content-type-options'], 'nosniff');
  const { incidents } = JSON.parse((await site.get('api/v2/summary.json')).text) as {
    incidents: [{ name: string; incident_updates: [{ body: string }] }];
  };
  assert.equal([incidents[0].name, incidents[0].incident_updates[0].body], [hostile, hostile]);
});

test.run();
