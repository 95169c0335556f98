import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService, type ServiceRequest } from '../../service.ts';

const test = suite('the group, the position and the secrets of a check');
const service = await startService();
const { request, second } = service;
test.after(() => service.stop());

interface Shown {
  id: string;
  name: string;
  group_id: string | null;
  position: number | null;
  secrets: { id: string; secret_id: string; env_variable: string }[];
  [field: string]: unknown;
}

const made = async (path: string, body: object, ask: ServiceRequest = {}): Promise<Shown> => {
  const reply = await request('POST', path, { body, ...ask });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Shown;
};
const check = (more: object = {}) =>
  made('/v1/checks', { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 60, ...more });
const group = (name: string) => made('/v1/check-groups', { name });
let secretsMade = 0;
const secret = (ask: ServiceRequest = {}) =>
  made('/v1/secrets', { secret_name: `TOKEN_${secretsMade++}`, secret_value: 'x' }, ask);

const read = async (id: string): Promise<Shown> => (await request('GET', `/v1/checks/${id}`)).json() as Shown;
const changed = async (id: string, body: object, method = 'PATCH'): Promise<Shown> => {
  const reply = await request(method, `/v1/checks/${id}`, { body });
  assert.is(reply.status, 200, reply.text);
  assert.equal(reply.json(), await read(id));
  return reply.json() as Shown;
};
const refused = async (id: string, body: object): Promise<Record<string, string[]>> => {
  const before = await read(id);
  const reply = await request('PATCH', `/v1/checks/${id}`, { body });
  assert.is(reply.status, 422, reply.text);
  assert.equal(await read(id), before);
  return (reply.json() as { errors: { json: Record<string, string[]> } }).errors.json;
};
const bound = ({ secrets }: Shown): [string, string][] =>
  secrets.map(({ secret_id, env_variable }) => [secret_id, env_variable]);

test('`secrets` in a change replaces all bindings of a check, and an empty array unbinds all', async () => {
  const { id } = await check();
  const [one, two] = [await secret(), await secret()];
  const wanted = [
    { secret_id: one.id, env_variable: 'ONE' },
    { secret_id: two.id, env_variable: 'TWO' },
  ];
  const both = await changed(id, { secrets: wanted });
  assert.equal(bound(both), [
    [one.id, 'ONE'],
    [two.id, 'TWO'],
  ]);
  assert.equal((await changed(id, { name: 'Store' })).secrets, both.secrets);
  const other = await changed(id, { name: 'Shop', secrets: [{ secret_id: two.id, env_variable: 'OTHER' }] }, 'PUT');
  assert.equal([other.name, bound(other)], ['Shop', [[two.id, 'OTHER']]]);
  assert.is((await request('DELETE', `/v1/secrets/${one.id}`)).status, 204);
  assert.is((await request('DELETE', `/v1/secrets/${two.id}`)).status, 409);
  assert.equal((await changed(id, { secrets: [] })).secrets, []);
  assert.is((await request('DELETE', `/v1/secrets/${two.id}`)).status, 204);
});

test('`secrets` in a change follows the rules of bindings, and errors name the field', async () => {
  const { id: secret_id } = await secret();
  const { id } = await check({ secrets: [{ secret_id, env_variable: 'TOKEN' }] });
  const foreign = await secret({ key: second.keys.editor });
  assert.equal(Object.keys(await refused(id, { secrets: [{ secret_id: foreign.id, env_variable: 'A' }] })), [
    'secrets.0.secret_id',
  ]);
  const twice = { secrets: ['A', 'B'].map((env_variable) => ({ secret_id, env_variable })) };
  assert.equal(Object.keys(await refused(id, twice)), ['secrets.1.secret_id']);
  const broken = await refused(id, { interval: 1, secrets: [{ secret_id: 'x', env_variable: 'PATH' }] });
  assert.equal(Object.keys(broken).sort(), ['interval', 'secrets.0.env_variable', 'secrets.0.secret_id']);
  assert.equal(Object.keys(await refused(id, { secrets: null })), ['secrets']);
});

test('a change can move a check to a group and position together with other fields', async () => {
  const [one, two] = [await group('One'), await group('Two')];
  const first = await check({ group_id: one.id });
  const { id } = await check();
  const placeIn = ({ group_id, position }: Shown): unknown[] => [group_id, position];
  assert.equal(placeIn(await changed(id, { group_id: one.id })), [one.id, (first.position ?? 0) + 1]);
  assert.equal(placeIn(await changed(id, { position: 7, name: 'Store' })), [one.id, 7]);
  assert.equal(placeIn(await changed(id, { name: 'Shop' })), [one.id, 7]);
  assert.equal(placeIn(await changed(id, { group_id: two.id, position: 3 })), [two.id, 3]);
  assert.equal(placeIn(await changed(id, { group_id: one.id, position: null })), [one.id, (first.position ?? 0) + 1]);
  assert.equal(placeIn(await changed(id, { group_id: null })), [null, null]);
  assert.equal(placeIn(await changed(id, { position: 3 })), [null, null]);
  assert.equal(Object.keys(await refused(id, { group_id: 'k3v9x0q2m7ab' })), ['group_id']);
  assert.equal(Object.keys(await refused(id, { position: 0 })), ['position']);
  await changed(id, { group_id: two.id });
  assert.is((await request('DELETE', `/v1/check-groups/${two.id}`)).status, 204);
  assert.equal(placeIn(await changed(id, { position: 3 })), [null, null]);
});

test('moving the last check of a group to the end of the group changes nothing', async () => {
  const { id: group_id } = await group('Ends');
  const other = await check({ group_id });
  const { id, position } = await check({ group_id });
  assert.is((await changed(id, { position: null })).position, position);
  assert.is((await changed(id, { group_id, position: null })).position, position);
  const moved = { group_id, position: null };
  assert.is((await request('PUT', `/v1/checks/${id}/group`, { body: moved })).status, 200);
  assert.is((await read(id)).position, position);
  const beside = await changed(other.id, { position });
  assert.is((await changed(id, { position: null })).position, (beside.position ?? 0) + 1, 'it shared the last place');
  assert.is((await changed(other.id, { position: null })).position, (position ?? 0) + 2);
});

test('sending a whole check back unchanged changes nothing', async () => {
  const { id: group_id } = await group('Kept');
  const { id: secret_id } = await secret();
  const whole = await check({ group_id, position: 4, secrets: [{ secret_id, env_variable: 'TOKEN' }] });
  const position = async () => (await service.stores.main.readAll({ after: 0n, limit: 10_000 })).at(-1)?.position;
  const before = await position();
  assert.equal(await changed(whole.id, whole, 'PUT'), whole);
  assert.is(await position(), before);
});

test.run();
