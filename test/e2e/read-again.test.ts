import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApiExpecting, callApi, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';

const KEY = 'the-admin-key-of-this-test';

const test = suite('a document that is read repeatedly');
test.after.each(endPrograms);

interface Incident {
  id: string;
  name: string;
  components: { id: string; name: string }[];
}

/** Changes an incident and the resources that the incident shows. Reads the incident after each acknowledged write. */
const writeAndRead = async (program: RunningProgram, of: string, rounds: number): Promise<void> => {
  const request = <T>(status: number, method: string, path: string, body?: object): Promise<T> =>
    callApiExpecting<T>(program, KEY, status, method, path, body);
  const page = `/v1/pages/${(await request<{ id: string }>(200, 'POST', '/v1/pages', { name: of })).id}`;
  const component = await request<{ id: string }>(201, 'POST', `${page}/components`, { name: 'Checkout' });
  const opened = {
    name: 'round 0',
    body: 'It fails.',
    status: 'investigating',
    components: { [component.id]: 'operational' },
  };
  const { id } = await request<Incident>(201, 'POST', `${page}/incidents`, opened);
  const incident = `${page}/incidents/${id}`;
  for (let round = 1; round <= rounds; round++) {
    const name = `round ${round} of ${of}`;
    await request(200, 'PATCH', `${page}/components/${component.id}`, { name });
    const before = await request<Incident>(200, 'GET', incident);
    assert.is(before.components[0]?.name, name);
    assert.is((await request<Incident>(200, 'PATCH', incident, { name })).name, name);
    const [one, list] = await Promise.all([
      request<Incident>(200, 'GET', incident),
      request<Incident[]>(200, 'GET', `${page}/incidents`),
    ]);
    assert.equal(list, [one]);
    assert.is(one.name, name);
  }
  await request(204, 'DELETE', incident);
  assert.is((await callApi(program, KEY, 'GET', incident)).status, 404);
  await request(204, 'DELETE', page);
  assert.is((await callApi(program, KEY, 'GET', `${page}/components/${component.id}`)).status, 404);
};

test(
  'a document that is read repeatedly shows each acknowledged write, also after a rebuild',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY: KEY };
    const program = await serve(environment);
    const several = ['Shop', 'Bank', 'School'];
    await Promise.all(several.map((of) => writeAndRead(program, of, 15)));
    const rebuilt = await uptrail(environment, 'rebuild', 'incidents');
    assert.is(rebuilt.code, 0, rebuilt.stderr);
    await Promise.all(several.map((of) => writeAndRead(program, of, 5)));
  }),
);

test.run();
