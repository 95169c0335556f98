import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApiKey } from '../../../../commands/organizations/api-keys.ts';
import { changeRole, removeUser } from '../../../../commands/organizations/users.ts';
import { DAY_MS, instantOf } from '../../../../domain/time.ts';
import { signInAs } from '../../users.ts';
import { startService } from '../../service.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);

const test = suite('API keys over HTTP');
const service = await startService({ now: NOW, trustProxy: '127.0.0.1' });
const { first, second, request } = service;
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

interface Shown {
  id: string;
  name: string;
  prefix: string;
  role: string;
  allowed_ips: string[];
  created_by: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  token: string;
}

const PATH = '/v1/api-tokens';
const post = (key: string, body: object, headers: Record<string, string> = {}) =>
  request('POST', PATH, { key, body, headers });
const make = async (key: string, body: object = {}): Promise<Shown> => {
  const reply = await post(key, { name: 'Deployment', ...body });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Shown;
};
const list = async (key: string): Promise<string[]> =>
  ((await request('GET', PATH, { key })).json() as Shown[]).map(({ id }) => id);
const works = async (key: string, headers: Record<string, string> = {}): Promise<number> =>
  (await request('GET', '/v1/component-statuses', { key, headers })).status;

test('an API key has the role of its creator by default, is shown once, and is served under both paths', async () => {
  const made = await make(first.keys.editor);
  assert.match(made.token, /^upt_[\w-]{43}$/);
  assert.is(made.prefix, made.token.slice(0, 8));
  assert.is(made.role, 'editor');
  assert.equal([made.expires_at, made.last_used_at, made.created_by, made.allowed_ips], [null, null, null, []]);
  for (const path of [PATH, '/v1/api-keys']) {
    const rest: Partial<Shown> = { ...made };
    delete rest.token;
    const reply = await request('GET', `${path}/${made.id}`, { key: first.keys.editor });
    assert.equal(reply.json(), rest);
    assert.ok(!reply.text.includes(made.token));
    assert.is(reply.headers['cache-control'], 'no-store');
  }
  assert.is(await works(made.token), 200);
  assert.ok(!service.logged.join('').includes(made.token));
});

test('an API key cannot have a higher role than its creator', async () => {
  for (const [maker, role] of [
    ['viewer', 'admin'],
    ['viewer', 'editor'],
    ['viewer', 'billing'],
    ['editor', 'billing'],
    ['editor', 'admin'],
    ['billing', 'editor'],
  ] as const) {
    const reply = await post(first.keys[maker], { name: 'More', role });
    assert.is(reply.status, 403, `${maker} makes ${role}`);
    assert.match(reply.text, /in the field role exceeds your role/);
  }
  const viewer = await make(first.keys.admin, { role: 'viewer' });
  assert.is((await post(viewer.token, { name: 'More', role: 'editor' })).status, 403);
  assert.is((await make(viewer.token)).role, 'viewer');
  assert.is((await post(first.keys.admin, { name: 'More', role: 'owner' })).status, 422);
});

test('creating an API key ignores read-only fields', async () => {
  const given = {
    id: 'k3v9x0q2m7ab',
    prefix: 'upt_0000',
    hash: '0'.repeat(64),
    token: 'a-token-of-my-own',
    created_by: 'user00000ann',
    created_by_key: 'key000000001',
    organization_id: second.id,
    origin: 'environment',
    last_used_at: '2020-01-01T00:00:00Z',
  };
  const made = await make(first.keys.viewer, given);
  assert.is.not(made.id, given.id);
  assert.is.not(made.token, given.token);
  assert.equal([made.created_by, made.last_used_at], [null, null]);
  assert.is(await works(given.token), 401);
  assert.is((await request('GET', `${PATH}/${made.id}`, { key: second.keys.admin })).status, 404);
});

test('API keys of other users are visible to admins only, and those of other organizations are never visible', async () => {
  const ann = await signInAs(service, first.id, 'editor');
  const bob = await signInAs(service, first.id, 'viewer');
  const bySession = await make(ann.token);
  service.time.now += 1;
  const byKey = await make(bySession.token);
  assert.equal([bySession.created_by, byKey.created_by], [ann.userId, ann.userId]);
  assert.equal(await list(ann.token), [byKey.id, bySession.id]);
  assert.equal(await list(byKey.token), [byKey.id, bySession.id]);
  assert.equal(await list(bob.token), []);
  const all = await list(first.keys.admin);
  for (const { id } of [bySession, byKey]) {
    assert.ok(all.includes(id));
    for (const key of [bob.token, second.keys.admin, first.keys.editor]) {
      assert.is((await request('GET', `${PATH}/${id}`, { key })).status, 404);
      assert.is((await request('DELETE', `${PATH}/${id}`, { key })).status, 404);
    }
  }
  assert.is((await request('DELETE', `${PATH}/${byKey.id}`, { key: ann.token })).status, 204);
  assert.is((await request('DELETE', `/v1/api-keys/${bySession.id}`, { key: first.keys.admin })).status, 204);
});

test('an API key is refused as soon as the response to its deletion was sent, even if the key deleted itself', async () => {
  const ann = await signInAs(service, first.id, 'editor');
  const one = await make(ann.token);
  assert.is(await works(one.token), 200);
  assert.is((await request('DELETE', `${PATH}/${one.id}`, { key: one.token })).status, 204);
  assert.is(await works(one.token), 401);
  assert.is((await request('DELETE', `${PATH}/${one.id}`, { key: ann.token })).status, 404);
  const two = await make(ann.token);
  const deletions = await Promise.all([1, 2].map(() => request('DELETE', `${PATH}/${two.id}`, { key: ann.token })));
  assert.equal(deletions.map(({ status }) => status).sort(), [204, 404]);
});

test('an API key never has more permissions than its creator has at the time of the request, and is refused after the creator was removed', async () => {
  const ann = await signInAs(service, first.id, 'admin');
  await signInAs(service, first.id, 'admin');
  const made = await make(ann.token);
  const others = await make(first.keys.admin);
  assert.is((await request('GET', `${PATH}/${others.id}`, { key: made.token })).status, 200);
  const demotion = service.context(first.id, randomUUID());
  await service.commands.bind(changeRole)(ann.userId, 'viewer', demotion);
  await service.readers.waitFor(['organizations'], demotion);
  assert.is((await request('GET', `${PATH}/${others.id}`, { key: made.token })).status, 404);
  assert.is((await post(made.token, { name: 'Again', role: 'admin' })).status, 403);
  assert.is((await make(made.token)).role, 'viewer');
  const removal = service.context(first.id, randomUUID());
  await service.commands.bind(removeUser)(ann.userId, removal);
  await service.readers.waitFor(['organizations'], removal);
  assert.is(await works(made.token), 401);
});

test('API keys expire, and a key that another key has created expires no later than that other key', async () => {
  const expires_at = instantOf(NOW + DAY_MS);
  const short = await make(first.keys.admin, { expires_at: `${expires_at}Z` });
  assert.is(short.expires_at, expires_at);
  assert.is((await make(short.token)).expires_at, expires_at);
  const later = await post(short.token, { name: 'Later', expires_at: `${instantOf(NOW + 2 * DAY_MS)}Z` });
  assert.is(later.status, 422);
  assert.is((await post(first.keys.admin, { name: 'Past', expires_at: '2020-01-01' })).status, 422);
  service.time.now = NOW + DAY_MS;
  assert.is(await works(short.token), 401);
});

test('an API key works only from its allowed addresses, also behind a proxy', async () => {
  const body = { name: 'Bound', allowed_ips: [' 192.0.2.0/24', '2001:db8::/32', '192.0.2.0/24'] };
  const bound = (await post(first.keys.admin, body)).json() as Shown;
  assert.equal(bound.allowed_ips, ['192.0.2.0/24', '2001:db8::/32']);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  assert.is(await works(bound.token, from('192.0.2.7')), 200);
  assert.is(await works(bound.token, from('2001:db8::1')), 200);
  assert.is(await works(bound.token, from('192.0.2.7, 198.51.100.1')), 403);
  assert.is(await works(bound.token), 403);
  const child = await post(bound.token, { name: 'Child' }, from('192.0.2.7'));
  assert.equal((child.json() as Shown).allowed_ips, bound.allowed_ips);
  const outside = { name: 'Outside', allowed_ips: ['192.0.2.9', '192.0.0.0/16'] };
  const refused = await post(bound.token, outside, from('192.0.2.7'));
  assert.is(refused.status, 422);
  assert.equal(Object.keys((refused.json() as { errors: { json: object } }).errors.json), ['allowed_ips.1']);
});

test('the error for allowed addresses names the index of every invalid range', async () => {
  const reply = await post(first.keys.admin, { name: 'Odd', allowed_ips: ['10.0.0.1', 'home', '10.0.0.0/33', '10.1'] });
  assert.is(reply.status, 422);
  const { json } = (reply.json() as { errors: { json: object } }).errors;
  assert.equal(Object.keys(json), ['allowed_ips.1', 'allowed_ips.2', 'allowed_ips.3']);
  const many = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`);
  assert.is((await post(first.keys.admin, { name: 'Many', allowed_ips: many })).status, 422);
});

test('the response to a repeated request does not contain the API key again', async () => {
  const again = { 'idempotency-key': 'make one key' };
  const one = (await post(first.keys.admin, { name: 'Once' }, again)).json() as Shown;
  const reply = await post(first.keys.admin, { name: 'Once' }, again);
  assert.is(reply.headers['idempotent-replayed'], 'true');
  const { token, ...rest } = one;
  assert.ok(token);
  assert.equal(reply.json(), rest);
});

test('the last use of an API key is shown without storing an event', async () => {
  const made = await make(first.keys.admin);
  const count = async () =>
    (await service.stores.main.readStream(`organization-${first.id}`, { from: 0n, limit: 1_000 })).length;
  const before = await count();
  service.time.now = NOW + 5_000;
  assert.is(await works(made.token), 200);
  const shown = await request('GET', `${PATH}/${made.id}`, { key: first.keys.admin });
  assert.is((shown.json() as Shown).last_used_at, instantOf(NOW + 5_000));
  assert.is(await count(), before);
});

test('the last key that administers an organization cannot be deleted', async () => {
  const admin = (await list(second.keys.admin)).slice();
  const all = (await request('GET', PATH, { key: second.keys.admin })).json() as Shown[];
  const last = all.find(({ role }) => role === 'admin');
  assert.ok(admin.length >= 4 && last);
  const remove = (key = second.keys.admin) => request('DELETE', `${PATH}/${last.id}`, { key });
  assert.is((await remove()).status, 409);
  await make(second.keys.admin, { expires_at: `${instantOf(NOW + DAY_MS)}Z` });
  assert.is((await remove()).status, 409, 'a key that expires');
  await make(second.keys.admin, { allowed_ips: ['192.0.2.1'] });
  assert.is((await remove()).status, 409, 'a key that works from one place only');
  await signInAs(service, second.id, 'admin');
  assert.is((await remove()).status, 204);
});

test('an organization can have at most a thousand API keys', async () => {
  for (let index = (await list(first.keys.admin)).length; index < 1_000; index++) {
    const key = { name: 'One of many', role: 'viewer', key: randomUUID(), expires_at: null };
    await service.commands.bind(createApiKey)(key, service.context(first.id, randomUUID()));
  }
  const context = service.context(first.id, randomUUID());
  await service.readers.waitFor(['organizations'], context);
  const reply = await post(first.keys.admin, { name: 'One more' });
  // Expired keys do not count towards the limit.
  if (reply.status === 201) assert.is((await post(first.keys.admin, { name: 'One more' })).status, 403);
  else assert.is(reply.status, 403);
});

test.run();
