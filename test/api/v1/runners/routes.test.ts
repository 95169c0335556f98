import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { confirmToken, recordRunnerConnection } from '../../../../commands/runners.ts';
import type { RunnerPresence } from '../../../../domain/runner/presence.ts';
import { hashOfRunnerToken } from '../../../../domain/runner/token.ts';
import { createRunnerSource } from '../../../../api/runner-source.ts';
import { createHandle } from '../../../../commands/engine/handle.ts';
import { tokensIssuedAfter } from '../../../../service/http/registered-runners.ts';
import { instantOf } from '../../../../domain/time.ts';
import type { Reply } from '../../http.ts';
import { startService } from '../../service.ts';

interface Runner {
  id: string;
  organization_id: string;
  name: string;
  region: string;
  private: boolean;
  state: string;
  alone: boolean;
  revision: number;
  token?: string;
}

const test = suite('remote runners');
const NOW = Date.UTC(2026, 10, 20, 15);
const service = await startService({ now: NOW });
const { request, first, second, commands, presences, readers, context } = service;
const admin = second.keys.admin;
const read = () => readers.for({ appended: new Map() });

const messageOf = (reply: Reply): string => (reply.json() as { message: string }).message;

const create = async (body: object, key = admin): Promise<Runner & { token: string }> => {
  const reply = await request('POST', '/v1/runners', { key, body });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Runner & { token: string };
};
const show = async (id: string, key = admin): Promise<Record<string, unknown>> =>
  (await request('GET', `/v1/runners/${id}`, { key })).json() as Record<string, unknown>;
const list = async (key = admin): Promise<Runner[]> =>
  ((await request('GET', '/v1/runners', { key })).json() as { runners: Runner[] }).runners;
const ownerOf = (token: string) =>
  createRunnerSource({
    read: read(),
    issuedAfter: (position) => tokensIssuedAfter(service.stores.main, position),
    statuses: service.statuses,
    load: createHandle({ store: service.stores.main, clock: () => service.time.now }).load,
    from: 0n,
    now: () => instantOf(service.time.now),
  }).find(hashOfRunnerToken(token));

const presence = (runner: Runner, fields: Partial<RunnerPresence> = {}): RunnerPresence => ({
  runner_id: runner.id,
  instance: 'one',
  region: runner.region,
  types: ['web', 'tcp'],
  lacking: [{ type: 'icmp', reason: 'fping is not installed.' }],
  release: '0.2.0',
  address: '192.0.2.7',
  in_flight: 3,
  capacity: 200,
  last_contact: NOW,
  clock_offset_ms: 12,
  ...fields,
});

test.after.each(() => {
  presences.length = 0;
});
test.after(() => service.stop());

test('a runner without a region creates a private location, and its token is shown once', async () => {
  const { token, ...runner } = await create({ name: ' Office ' });
  assert.match(token, /^upr_[A-Za-z0-9_-]{43}$/);
  assert.equal(
    [runner.name, runner.region, runner.private, runner.state, runner.alone, runner.organization_id],
    ['Office', `private-${runner.id}`, true, 'waiting', true, second.id],
  );
  const found = await ownerOf(token);
  assert.equal([found?.id, found?.isFormer], [runner.id, false]);
  assert.not.match(JSON.stringify([await show(runner.id), await list()]), /token|upr_/);
  for (const store of Object.values(service.stores)) {
    const stored = JSON.stringify(await store.readAll({ after: 0n, limit: 100_000 }), (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    assert.not.ok(stored.includes(token));
  }
});

test('a repeated request creates one runner and does not show the token again', async () => {
  const creation = { key: admin, body: { name: 'Once' }, headers: { 'idempotency-key': 'a-runner' } };
  const once = (await request('POST', '/v1/runners', creation)).json() as Runner;
  const again = (await request('POST', '/v1/runners', creation)).json() as Runner;
  assert.is(again.id, once.id);
  assert.ok(once.token);
  assert.is(again.token, undefined);
  const rotation = { key: admin, headers: { 'idempotency-key': 'a-rotation' } };
  const rotated = (await request('POST', `/v1/runners/${once.id}/rotate`, rotation)).json() as Runner;
  assert.ok(rotated.token);
  assert.is(((await request('POST', `/v1/runners/${once.id}/rotate`, rotation)).json() as Runner).token, undefined);
});

test('a runner is not `alone` while its private location has a second active runner', async () => {
  const one = await create({ name: 'Cellar' });
  const other = await create({ name: 'Attic', region: one.region });
  assert.equal([other.region, other.private, other.alone], [one.region, true, false]);
  assert.is((await show(one.id))['alone'], false);
  assert.is((await request('DELETE', `/v1/runners/${other.id}`, { key: admin })).status, 204);
  assert.is((await show(one.id))['alone'], true);
  assert.equal([(await show(other.id))['state'], (await show(other.id))['alone']], ['revoked', false]);
});

test('a runner cannot be added to a private location of another organization, nor to one with only revoked runners', async () => {
  const runner = await create({ name: 'Cellar' });
  const refused = async (key: string, region: string): Promise<void> => {
    const reply = await request('POST', '/v1/runners', { key, body: { name: 'Spy', region } });
    assert.equal([reply.status, messageOf(reply)], [400, `There is no region "${region}".`]);
  };
  await refused(first.keys.admin, runner.region);
  await refused(admin, 'private-zzzzzzzzzzzz');
  await request('DELETE', `/v1/runners/${runner.id}`, { key: admin });
  await refused(admin, runner.region);
  assert.is((await request('POST', '/v1/runners', { key: admin, body: { name: 'x', region: 'Mars' } })).status, 422);
});

test('only the operator creates runners of public regions, by region id or alias', async () => {
  const body = { name: 'Dublin', region: 'eu-west1' };
  assert.is((await request('POST', '/v1/runners', { key: admin, body })).status, 403);
  assert.is((await request('POST', '/v1/runners', { key: first.keys.editor, body })).status, 403);
  const runner = await create(body, first.keys.admin);
  assert.equal([runner.region, runner.private, runner.organization_id], ['EU, West', false, first.id]);
});

test('an organization sees its own runners, and the operator sees all runners but cannot change those of others', async () => {
  const [own, others] = [await create({ name: 'Own' }, first.keys.admin), await create({ name: 'Other' })];
  const seen = (await list(first.keys.admin)).map(({ id }) => id);
  assert.ok(seen.includes(own.id) && seen.includes(others.id));
  assert.ok((await list()).every(({ organization_id }) => organization_id === second.id));
  assert.not.ok((await list(first.keys.viewer)).some(({ id }) => id === others.id));
  assert.is((await request('GET', `/v1/runners/${own.id}`, { key: admin })).status, 404);
  assert.is((await show(others.id, first.keys.admin))['id'], others.id);
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['POST', '/rotate', undefined],
  ] as const) {
    const ask = (key: string) =>
      request(method, `/v1/runners/${others.id}${path}`, { key, ...(body && { body }), headers: {} });
    assert.is((await ask(first.keys.admin)).status, 403, method);
    assert.is((await ask(first.keys.editor)).status, 403, method);
    assert.is((await ask(second.keys.editor)).status, 403, method);
  }
  assert.is((await request('DELETE', `/v1/runners/${own.id}`, { key: admin })).status, 404);
});

test('a runner is shown with the data of its newest process and the total load', async () => {
  const runner = await create({ name: 'Busy' });
  await commands.bind(recordRunnerConnection)(
    runner.id,
    { instance: 'one', release: '0.1.0', types: ['web'] },
    context(second.id, 'connected'),
  );
  assert.equal(
    (({ state, version, address, load, check_types, instances }) => [
      state,
      version,
      address,
      load,
      check_types,
      instances,
    ])(await show(runner.id)),
    ['silent', '0.1.0', null, null, ['web'], 0],
  );
  presences.push(
    presence(runner),
    presence(runner, { instance: 'two', release: '0.3.0', last_contact: NOW + 1_000, clock_offset_ms: -5 }),
    presence({ ...runner, id: 'runner00000x' }),
  );
  const shown = await show(runner.id);
  assert.equal(
    [shown['state'], shown['version'], shown['address'], shown['last_contact_at'], shown['instances']],
    ['connected', '0.3.0', '192.0.2.7', '2026-11-20T15:00:01.000000', 2],
  );
  assert.equal(
    [shown['load'], shown['check_types'], shown['lacking'], shown['clock_offset_ms']],
    [{ in_flight: 6, capacity: 400 }, ['tcp', 'web'], [{ type: 'icmp', reason: 'fping is not installed.' }], -5],
  );
  await request('DELETE', `/v1/runners/${runner.id}`, { key: admin });
  const revoked = await show(runner.id);
  assert.equal([revoked['state'], revoked['instances'], revoked['load']], ['revoked', 0, null]);
});

test('a rotated token works until the new one is used, for at most a day', async () => {
  const { id, token } = await create({ name: 'Rotated' });
  const rotate = async (): Promise<string> =>
    ((await request('POST', `/v1/runners/${id}/rotate`, { key: admin })).json() as { token: string }).token;
  const next = await rotate();
  assert.equal([(await ownerOf(token))?.isFormer, (await ownerOf(next))?.isFormer], [true, false]);
  const confirmContext = context(second.id, 'confirm');
  await commands.bind(confirmToken)(id, hashOfRunnerToken(next), confirmContext);
  await readers.waitFor(['runners'], confirmContext);
  assert.equal([await ownerOf(token), (await ownerOf(next))?.id], [null, id]);
  const last = await rotate();
  service.time.now = NOW + 86_400_000;
  assert.equal([await ownerOf(next), (await ownerOf(last))?.id], [null, id]);
  service.time.now = NOW;
  await request('DELETE', `/v1/runners/${id}`, { key: admin });
  assert.is(await ownerOf(last), null);
  const refused = await request('POST', `/v1/runners/${id}/rotate`, { key: admin });
  assert.equal([refused.status, messageOf(refused)], [404, 'This runner is revoked. Create another one.']);
});

test('an organization can have at most fifty active runners', async () => {
  const live = (await list()).filter(({ state }) => state !== 'revoked');
  const made = await Promise.all(
    Array.from({ length: 60 - live.length }, () =>
      request('POST', '/v1/runners', { key: admin, body: { name: 'One of many' } }),
    ),
  );
  const statuses = made.map(({ status }) => status);
  assert.is(statuses.filter((status) => status === 201).length, 50 - live.length);
  const refused = made.find(({ status }) => status === 403);
  assert.is(
    refused && messageOf(refused),
    'An organization can have at most 50 runners. Revoke one that is not needed.',
  );
  for (const { id, state } of await list()) {
    if (state !== 'revoked') await request('DELETE', `/v1/runners/${id}`, { key: admin });
  }
  await create({ name: 'There is a place again' });
});

test('the audit log contains actions on runners', async () => {
  const { id } = await create({ name: 'Audited' });
  await request('PATCH', `/v1/runners/${id}`, { key: admin, body: { name: 'Renamed' } });
  await request('POST', `/v1/runners/${id}/rotate`, { key: admin });
  await request('DELETE', `/v1/runners/${id}`, { key: admin });
  const reply = await request('GET', `/v1/audit?resource_id=${id}`, { key: admin });
  const { audit_logs } = reply.json() as { audit_logs: { action: string }[] };
  assert.equal(audit_logs.map(({ action }) => action).sort(), [
    'runner.created',
    'runner.renamed',
    'runner.revoked',
    'runner.token_rotated',
  ]);
});

test.run();
