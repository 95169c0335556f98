import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { callApi, endPrograms, startOne } from '../program.ts';
import { eventually } from '../../waiting.ts';

const KEY = 'the-admin-key-of-this-test';

/** Tests writes during which no process updates the read model of pages. */
const specifications = (): void => {
  const test = suite('a cluster without a projecting process');
  test.after.each(endPrograms);

  test('while no process updates the read model of pages, an incident is opened with 201 and a page is changed with 202', async () => {
    const servers = await startClusterServers();
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY: KEY, READ_YOUR_WRITES_TIMEOUT_MS: '5000' };
      const [api, project] = await Promise.all([startOne(['api'], environment), startOne(['project'], environment)]);
      await eventually(async () => (await fetch(`${api.address}/health/ready`)).ok, { within: 60_000 });
      const make = async (path: string, body: object): Promise<string> =>
        ((await callApi(api, KEY, 'POST', path, body)).body as { id: string }).id;
      const page = await make('/v1/pages', { name: 'Status' });
      const component = await make(`/v1/pages/${page}/components`, { name: 'API' });

      assert.is((await project.end('SIGTERM')).code, 0);
      await startOne(['project', 'incidents', 'components'], environment);
      const opened = await callApi(api, KEY, 'POST', `/v1/pages/${page}/incidents`, {
        name: 'No answer',
        body: 'We look into it.',
        status: 'investigating',
        components: { [component]: 'major_outage' },
      });
      assert.is(opened.status, 201, JSON.stringify(opened.body));
      assert.is((opened.body as { components: { status: string }[] }).components[0]?.status, 'major_outage');
      assert.is((await callApi(api, KEY, 'PATCH', `/v1/pages/${page}`, { name: 'Renamed' })).status, 202);
    } finally {
      await endPrograms();
      await servers.stop();
    }
  });

  test.run();
};

if (!skippedWithoutCluster()) specifications();
