import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_LIMITS, plansOf } from '../../../../domain/organization/plans.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { eventually } from '../../../waiting.ts';
import { storeChannel } from '../../stored-channels.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const test = suite('POST /v1/checks/{check_id}/restore');
const service = await startService();
const { request, first, second } = service;
test.after(() => service.stop());

type Json = Record<string, unknown>;

const made = async (path: string, body: object, ask: ServiceRequest = {}): Promise<Json & { id: string }> => {
  const reply = await request('POST', path, { body, ...ask });
  assert.ok(reply.status < 300, reply.text);
  return reply.json() as Json & { id: string };
};
const get = async (path: string, ask: ServiceRequest = {}): Promise<Json> => {
  const reply = await request('GET', path, ask);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Json;
};
const statusOf = async (method: string, path: string, ask: ServiceRequest = {}): Promise<number> =>
  (await request(method, path, ask)).status;

const WEB = { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 60 };
const check = (more: object = {}, ask: ServiceRequest = {}) => made('/v1/checks', { ...WEB, ...more }, ask);
let secretsMade = 0;
const secret = () => made('/v1/secrets', { secret_name: `TOKEN_${secretsMade++}`, secret_value: 'correct horse' });

test('a restored check has everything that belonged to it before its deletion', async () => {
  const group = await made('/v1/check-groups', { name: 'Shops' });
  const token = await secret();
  const { id } = await check({
    group_id: group.id,
    tags: ['eu', 'shop'],
    parameters: { http_request: { headers: { Authorization: 'Bearer x' } } },
    secrets: [{ secret_id: token.id, env_variable: 'TOKEN' }],
  });
  const path = `/v1/checks/${id}`;
  const channel_id = await storeChannel(service, first.id);
  const rule = await made('/v1/alerts/rules', {
    name: 'Shop is down',
    check_id: id,
    condition: 'check_failed',
    channel_ids: [channel_id],
  });
  const page = await made('/v1/pages', { name: 'Shop', subdomain: 'restored' });
  const component = await made(`/v1/pages/${page.id}/components`, { name: 'Web', check_id: id });
  const result = resultOf(id);
  const { position } = await service.stores.results.append('check_results-ru-central1', [result], 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  const shown = () =>
    Promise.all(
      [
        path,
        `${path}/results`,
        `/v1/alerts/rules/${rule.id}`,
        `/v1/check-groups/${group.id}/checks`,
        `/v1/pages/${page.id}/components/${component.id}`,
        '/v1/checks?tag=shop',
      ].map((one) => get(one)),
    );
  const before = await shown();

  service.time.now += 1_000;
  assert.is(await statusOf('DELETE', path), 204);
  assert.is(await statusOf('GET', path), 404);
  assert.is(await statusOf('GET', `/v1/alerts/rules/${rule.id}`), 404);
  service.time.now += 29_000;
  const reply = await request('POST', `${path}/restore`);
  assert.is(reply.status, 200, reply.text);
  assert.equal(reply.json(), before[0]);
  await eventually(
    async () => {
      const after = await shown();
      for (const [index, one] of before.entries()) assert.equal(after[index], one);
      return true;
    },
    { what: 'everything is shown as before' },
  );
  assert.is(await statusOf('DELETE', `/v1/secrets/${token.id}`), 409);

  const { audit_logs } = await get(`/v1/audit?resource_id=${id}`, { key: first.keys.admin });
  assert.equal(
    (audit_logs as { action: string }[]).map(({ action }) => action),
    ['check.restored', 'check.deleted', 'check.created'],
  );
});

test('restoring an existing check changes nothing', async () => {
  const { id } = await check();
  const before = await get(`/v1/checks/${id}`);
  service.time.now += 60_000;
  assert.equal((await request('POST', `/v1/checks/${id}/restore`)).json(), before);
});

test('restoring a deleted check is 404 after 30 seconds and for other organizations', async () => {
  const { id } = await check();
  const path = `/v1/checks/${id}`;
  assert.is(await statusOf('DELETE', path), 204);
  const foreign = await request('POST', `${path}/restore`, { key: second.keys.admin });
  const absent = await request('POST', '/v1/checks/zzzzzzzzzzzz/restore');
  service.time.now += 31_000;
  const late = await request('POST', `${path}/restore`);
  for (const reply of [foreign, absent, late]) assert.equal([reply.status, reply.text], [404, absent.text]);
});

test('a viewer cannot restore checks', async () => {
  const { id } = await check();
  await request('DELETE', `/v1/checks/${id}`);
  assert.is(await statusOf('POST', `/v1/checks/${id}/restore`, { key: first.keys.viewer }), 403);
  assert.is(await statusOf('POST', `/v1/checks/${id}/restore`, { key: first.keys.editor }), 200);
});

test('a restored check does not get back secrets and groups that were deleted in the meantime', async () => {
  const group = await made('/v1/check-groups', { name: 'Old' });
  const token = await secret();
  const { id } = await check({ group_id: group.id, secrets: [{ secret_id: token.id, env_variable: 'TOKEN' }] });
  for (const path of [`/v1/checks/${id}`, `/v1/secrets/${token.id}`, `/v1/check-groups/${group.id}`]) {
    assert.is(await statusOf('DELETE', path), 204);
  }
  const restored = (await request('POST', `/v1/checks/${id}/restore`)).json() as Json;
  assert.equal([restored['secrets'], restored['group_id']], [[], null]);
});

test('a repeated restore request gets the same response', async () => {
  const { id } = await check();
  await request('DELETE', `/v1/checks/${id}`);
  const headers = { 'idempotency-key': 'restore' };
  const one = await request('POST', `/v1/checks/${id}/restore`, { headers });
  const two = await request('POST', `/v1/checks/${id}/restore`, { headers });
  assert.equal([two.status, two.text], [one.status, one.text]);
  const history = await service.stores.main.readStream(`check-${id}`);
  assert.equal(
    history.map(({ type }) => type),
    ['CheckCreated', 'CheckDeleted', 'CheckRestored'],
  );
});

test('a check cannot be restored beyond the limit of the plan', async () => {
  const plan = {
    id: 'small',
    name: 'Small',
    description: null,
    price: { amount: 0, currency: 'EUR' },
    duration: 30,
    limits: { ...NO_LIMITS, checks: 1 },
  };
  const limited = await startService({ plans: plansOf([plan], 'small') });
  try {
    const post = (path: string, body?: object) => limited.request('POST', path, body ? { body } : {});
    const idIn = (text: string): string => (JSON.parse(text) as { id: string }).id;
    const old = idIn((await post('/v1/checks', WEB)).text);
    await limited.request('DELETE', `/v1/checks/${old}`);
    const other = idIn((await post('/v1/checks', WEB)).text);
    const refused = await post(`/v1/checks/${old}/restore`);
    assert.is(refused.status, 403, refused.text);
    await limited.request('DELETE', `/v1/checks/${other}`);
    assert.is((await post(`/v1/checks/${old}/restore`)).status, 200);
    assert.is((await post(`/v1/checks/${other}/restore`)).status, 403);
  } finally {
    await limited.stop();
  }
});

test.run();
