import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';

const test = suite('private locations as regions of checks');
const service = await startService();
const { request, first, second, presences } = service;
const { admin } = second.keys;

const create = async (name: string): Promise<{ id: string; region: string }> => {
  const reply = await request('POST', '/v1/runners', { key: admin, body: { name } });
  const runner = reply.json() as { id: string; region: string };
  presences.push({
    runner_id: runner.id,
    instance: 'one',
    region: runner.region,
    types: ['tcp'],
    lacking: [],
    release: '0.1.0',
    address: null,
    in_flight: 0,
    capacity: 10,
    last_contact: Date.now(),
    clock_offset_ms: null,
  });
  return runner;
};
const revoke = (id: string) => request('DELETE', `/v1/runners/${id}`, { key: admin });

const tcp = (regions: readonly string[]) => ({
  type: 'tcp',
  name: 'Port',
  interval: 60,
  timeout: 10,
  host: 'localhost',
  port: 80,
  parameters: { regions },
});

interface Region {
  id: string;
  display_name: string;
  aliases: string[];
  available_check_types: string[];
  runners: number;
}
const regionsOf = async (key: string, query = ''): Promise<Region[]> =>
  ((await request('GET', `/v1/checks/get-regions${query}`, { key })).json() as { regions: Region[] }).regions;

test.after(() => service.stop());

test('private locations are listed only for their organization, with their runners', async () => {
  const { id, region } = await create('Office');
  const listed = (await regionsOf(admin)).find((one) => one.id === region);
  assert.equal(listed, {
    id: region,
    display_name: 'Office',
    aliases: [region],
    available_check_types: ['tcp'],
    runners: 1,
  });
  assert.is((await regionsOf(admin)).find((one) => one.id === 'RU, Moscow')?.runners, 1);
  assert.is((await regionsOf(admin)).find((one) => one.id === 'EU, West')?.runners, 0);
  assert.is((await regionsOf(admin, '?check_type=tcp')).length, 2);
  assert.is((await regionsOf(admin, '?check_type=web')).length, 1);
  assert.not.ok((await regionsOf(first.keys.admin)).some((one) => one.id === region));
  await revoke(id);
  assert.not.ok((await regionsOf(admin)).some((one) => one.id === region));
});

test('only checks of the same organization can use a private location, while it has an active runner', async () => {
  const { id, region } = await create('Office');
  const message = `There is no region "${region}".`;
  const check = (await request('POST', '/v1/checks', { key: admin, body: tcp([region]) })).json() as { id: string };
  const others = (await request('POST', '/v1/checks', { key: first.keys.admin, body: tcp(['RU, Moscow']) })).json() as {
    id: string;
  };
  const named = (method: string, path: string, body: object, key: string) => request(method, path, { key, body });
  const attempts = async (key: string, checkId: string) => {
    const answers = [
      await named('POST', '/v1/checks', tcp([region]), key),
      await named('PATCH', `/v1/checks/${checkId}`, { parameters: { regions: [region] } }, key),
      await named('POST', '/v1/checks/execute', tcp([region]), key),
    ];
    return answers.map((reply) => [reply.status, (reply.json() as { message?: string }).message]);
  };
  assert.equal(await attempts(first.keys.admin, others.id), [
    [400, message],
    [400, message],
    [400, message],
  ]);
  assert.equal(
    (await attempts(admin, check.id)).map(([status]) => status),
    [201, 200, 202],
  );
  await revoke(id);
  assert.equal(await attempts(admin, check.id), [
    [400, message],
    [400, message],
    [400, message],
  ]);
});

test('bulk changes of other organizations cannot use a private location', async () => {
  const { region } = await create('Office');
  const { id } = (await request('POST', '/v1/checks', { key: first.keys.admin, body: tcp(['RU, Moscow']) })).json() as {
    id: string;
  };
  const changes = { ids: [id], change: { parameters: { regions: [region] } } };
  const reply = await request('POST', '/v1/checks/bulk', { key: first.keys.admin, body: changes });
  assert.match(reply.text, `There is no region \\"${region}\\".`);
});

test('results can be filtered by private location', async () => {
  const { region } = await create('Office');
  const reply = await request('GET', `/v1/checks/all-results?region=${region}`, { key: admin });
  assert.is(reply.status, 200, reply.text);
  assert.is((await request('GET', '/v1/checks/all-results?region=private-x', { key: admin })).status, 400);
});

test.run();
