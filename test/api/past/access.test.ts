import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../http.ts';
import { startService } from '../service.ts';
import { signInAs, storeKey } from '../users.ts';

const test = suite('access to past states');
const START = Date.UTC(2026, 10, 20, 15);
const service = await startService({ now: START });
const { request, first, time } = service;
const { admin, editor, viewer, billing } = first.keys;
test.after(() => service.stop());

interface Event {
  type: string;
  changes: Record<string, { old: unknown; new: unknown }>;
}

const pass = (seconds: number): string => {
  time.now += seconds * 1_000;
  return new Date(time.now).toISOString();
};
const create = async (path: string, body: object, key = admin): Promise<string> => {
  const reply = await request('POST', path, { key, body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};
const get = (path: string, key = admin): Promise<Reply> => request('GET', path, { key });
const statusesOf = async (path: string, key = admin): Promise<number[]> => {
  const replies = await Promise.all(
    ['/history', '/history/diff', '/history/moments'].map((end) => get(`${path}${end}`, key)),
  );
  return replies.map(({ status }) => status);
};
const typesOf = async (path: string, key = admin): Promise<string[]> =>
  ((await get(`${path}/history`, key)).json() as { history: Event[] }).history.map(({ type }) => type);
const momentsOf = async (path: string, key = admin): Promise<string[]> =>
  ((await get(`${path}/history/moments`, key)).json() as { moments: string[] }).moments;

const NOT_FOUND = [404, 404, 404];
const FOUND = [200, 200, 200];

const page = `/v1/pages/${await create('/v1/pages', { name: 'Shop' })}`;
const componentId = await create(`${page}/components`, { name: 'Checkout' });
const passwordId = await create(`${page}/passwords`, { name: 'Partners', password: 'a long password' });
const keyId = await create('/v1/api-keys', { name: 'Deploys', role: 'viewer' });
const { userId } = await signInAs(service, first.id, 'viewer');
pass(60);
await request('PATCH', `/v1/organizations/${first.id}`, {
  key: billing,
  body: { invoice_details: { legal_name: 'Hidden Ltd', tax_id: 'XI 1', address: 'Street 1', email: 'a@example.com' } },
});
pass(60);

test('a history is 404 if the id in the path is the id of a resource of another kind', async () => {
  assert.equal(await statusesOf(`/v1/users/${first.id}`, viewer), NOT_FOUND);
  assert.equal(await statusesOf(`/v1/users/${keyId}`), NOT_FOUND);
  assert.equal(await statusesOf(`/v1/api-keys/${userId}`), NOT_FOUND);
  assert.equal(await statusesOf(`/v1/api-keys/${first.id}`), NOT_FOUND);
  assert.equal(await statusesOf(`${page}/components/${passwordId}`), NOT_FOUND);
  assert.equal(await statusesOf(`${page}/component-groups/${componentId}`), NOT_FOUND);
  assert.equal(await statusesOf(`/v1/users/${userId}`, viewer), FOUND);
  assert.equal(await statusesOf(`${page}/components/${componentId}`, viewer), FOUND);
});

test('the history of an API key is only shown to callers who see the key, even after its deletion', async () => {
  const owner = await signInAs(service, first.id, 'editor');
  const ownId = await create('/v1/api-keys', { name: 'Own', role: 'viewer' }, owner.token);
  const stranger = await storeKey(service, first.id, { role: 'viewer' });
  for (const path of ['/v1/api-keys', '/v1/api-tokens']) {
    assert.equal(await statusesOf(`${path}/${ownId}`, owner.token), FOUND);
    assert.equal(await statusesOf(`${path}/${ownId}`, stranger), NOT_FOUND);
    assert.equal(await statusesOf(`${path}/${keyId}`, owner.token), NOT_FOUND);
  }
  pass(60);
  assert.is((await request('DELETE', `/v1/api-keys/${ownId}`, { key: owner.token })).status, 204);
  pass(60);
  assert.equal(await statusesOf(`/v1/api-keys/${ownId}`, owner.token), FOUND);
  assert.equal(await statusesOf(`/v1/api-keys/${ownId}`, admin), FOUND);
  assert.equal(await statusesOf(`/v1/api-keys/${ownId}`, stranger), NOT_FOUND);
});

test('the history of an organization shows invoice details only to callers who may read billing data', async () => {
  const path = `/v1/organizations/${first.id}`;
  assert.match((await get(`${path}/history`, billing)).text, 'Hidden Ltd');
  for (const end of ['/history', '/history/diff']) {
    const reply = await get(`${path}${end}`, viewer);
    assert.is(reply.status, 200);
    assert.match(reply.text, 'OrganizationUpdated');
    assert.not.match(reply.text, 'Hidden Ltd');
  }
});

test('past states mask the secrets of alert channels and the keys to drafts for every caller', async () => {
  const configuration = { url: 'https://hooks.example.com/secret-token', headers: { 'X-Key': 'hidden value' } };
  const channel = `/v1/alerts/channels/${await create('/v1/alerts/channels', { name: 'Hook', type: 'webhook', configuration })}`;
  const incident = `${page}/incidents/${await create(`${page}/incidents`, {
    name: 'Down',
    body: 'We look.',
    status: 'investigating',
    components: {},
  })}`;
  await request('PUT', `${incident}/postmortem`, { key: editor, body: { body_draft: 'It broke.' } });
  const at = pass(60);
  pass(600);
  for (const key of [admin, editor, viewer]) {
    for (const path of [`${channel}?at=${at}`, `/v1/alerts/channels?at=${at}`, `${channel}/history/diff`]) {
      const reply = await get(path, key);
      assert.is(reply.status, 200, reply.text);
      assert.not.match(reply.text, /secret-token|hidden value/);
    }
    const postmortem = (await get(`${incident}/postmortem?at=${at}`, key)).json() as { preview_key: string | null };
    assert.is(postmortem.preview_key, null);
  }
});

test('past states of resources with secrets or personal data are not stored by caches', async () => {
  const at = new Date(time.now).toISOString();
  pass(600);
  for (const path of ['/v1/users', '/v1/api-keys', '/v1/alerts/channels', `/v1/organizations/${first.id}`]) {
    const { status, headers } = await get(`${path}?at=${at}`);
    assert.is(status, 200);
    assert.is(headers['cache-control'], 'no-store', path);
  }
  assert.is((await get(`/v1/users/${userId}/history`)).headers['cache-control'], 'no-store');
  assert.match(String((await get(`/v1/pages?at=${at}`)).headers['cache-control']), 'immutable');
});

test('reads of a secret are in its history for auditors only, and are not moments of change', async () => {
  const secret = `/v1/secrets/${await create('/v1/secrets', { secret_name: 'TOKEN', secret_value: 'hidden' })}`;
  pass(60);
  assert.is((await get(secret, editor)).status, 200);
  pass(60);
  assert.equal(await typesOf(secret), ['SecretValueRead', 'SecretCreated']);
  assert.equal(await typesOf(secret, viewer), ['SecretCreated']);
  assert.not.match((await get(`${secret}/history/diff`, viewer)).text, 'SecretValueRead');
  for (const key of [admin, viewer]) assert.is((await momentsOf(secret, key)).length, 1);
  assert.is((await typesOf(secret)).length, 2, 'Reading the history must not record a read of the secret.');
});

test('a sign-in is a moment of a user, and only auditors see it among the events', async () => {
  const before = new Date(time.now).toISOString();
  pass(60);
  const signedIn = await signInAs(service, first.id, 'viewer');
  pass(60);
  const path = `/v1/users/${signedIn.userId}`;
  assert.ok((await momentsOf(path, viewer)).some((moment) => moment > before));
  assert.match((await get(`${path}/history/diff`)).text, 'SessionStarted');
  assert.not.match((await get(`${path}/history/diff`, viewer)).text, 'SessionStarted');
});

test.run();
