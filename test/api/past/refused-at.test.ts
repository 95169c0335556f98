import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AS_OF } from '../../../api/past/routes.ts';
import { v1Routes } from '../../../api/v1/index.ts';
import { fillPath } from '../fixtures.ts';
import { startService } from '../service.ts';

const test = suite('GET requests with ?at=');
const service = await startService({ now: Date.UTC(2026, 10, 20, 15) });
const { request, first, time } = service;
const key = first.keys.admin;
test.after(() => service.stop());

const REFUSED = { query: { at: ['This resource has no past states.'] } };

const readRoutes = v1Routes.filter(({ methods, effect }) => methods.join() === 'get' && effect !== 'write');
/** Routes that need an API key. Other routes first check a link or a session. */
const open = readRoutes.filter(({ access }) => 'needs' in access && access.needs !== 'account.manage');

test('every GET route either shows past states or refuses the parameter', async () => {
  assert.ok(open.length > 100);
  for (const { path } of open) {
    const reply = await request('GET', `${fillPath(path, {})}?at=nonsense`, { key });
    assert.is(reply.status, 400, `${path}: ${reply.text}`);
    const { errors } = reply.json() as { errors: { query: { at: string[] } } };
    assert.ok(errors.query.at.length > 0, path);
    if (!(path in AS_OF)) assert.equal(errors, REFUSED, path);
  }
});

test('a refused parameter is also recognized if its name is encoded', async () => {
  const reply = await request('GET', '/v1/plans?x=1&%61t=2026-01-01', { key });
  assert.is(reply.status, 400);
  assert.equal((reply.json() as { errors: object }).errors, REFUSED);
  assert.is((await request('GET', '/v1/plans?x=1', { key })).status, 200);
});

test('a ping with the parameter is accepted', async () => {
  const made = await request('POST', '/v1/heartbeats', {
    key,
    body: { name: 'Backup', period_seconds: 3600, grace_seconds: 60 },
  });
  const { id } = made.json() as { id: string };
  assert.is((await request('GET', `/v1/heartbeats/${id}/ping?at=now`, { key: null })).status, 200);
});

test('lists below a resource and lists of an organization show past states', async () => {
  const create = async (path: string, body: object): Promise<string> =>
    ((await request('POST', path, { key, body })).json() as { id: string }).id;
  const page = `/v1/pages/${await create('/v1/pages', { name: 'Shop' })}`;
  const group = `/v1/check-groups/${await create('/v1/check-groups', { name: 'Shop' })}`;
  const created = new Date(time.now).toISOString();
  time.now += 60_000;
  const password = `${page}/passwords/${await create(`${page}/passwords`, { name: 'Partners', password: 'a long password' })}`;
  await create('/v1/checks', {
    type: 'web',
    name: 'Shop',
    url: 'http://127.0.0.1:9/',
    interval: 60,
    group_id: group.slice(-12),
  });
  await create('/v1/api-tokens', { name: 'Deploys', role: 'viewer' });
  time.now += 60_000;
  for (const path of [`${page}/passwords`, `${group}/checks`, '/v1/api-tokens', '/v1/organizations']) {
    const now = await request('GET', path, { key });
    const past = await request('GET', `${path}?at=${created}`, { key });
    assert.is(past.status, 200, past.text);
    assert.ok(path === '/v1/organizations' || now.text.length > past.text.length, path);
  }
  const history = await request('GET', `${password}/history`, { key });
  assert.is(history.status, 200);
  assert.not.match(history.text, 'a long password');
  for (const path of ['/v1/payments', `/v1/organizations/${first.id}/subscriptions`])
    assert.is((await request('GET', `${path}?at=${created}`, { key })).status, 200);
});

test.run();
