import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectionKey } from '../../../projections/engine/fold/define.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { httpServer } from '../../probes/web/servers.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { startPairedCluster } from '../cluster-pairs.ts';
import { skippedWithoutCluster } from '../cluster-servers.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApi, endPrograms, startOne } from '../program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/** The cluster tests that `.ci/run` runs. The part `cluster` of the long suite runs all others. */
const specifications = (): void => {
  const test = suite('a cluster');
  test.after.each(endPrograms);

  test('a cluster writes, reads, runs checks, and continues when the processes that hold leases are killed', async () => {
    const target = await httpServer((_request, response) => response.end('All is well.'));
    const cluster = await startPairedCluster({ ADMIN_API_KEY });
    const { api } = cluster;
    const post = async (path: string, body: object): Promise<string> => {
      const answer = await callApi(api, ADMIN_API_KEY, 'POST', path, body);
      assert.ok([200, 201, 202].includes(answer.status), JSON.stringify(answer.body));
      return (answer.body as { id: string }).id;
    };
    const incidentsOf = async (page: string): Promise<string[]> => {
      const { body } = await callApi(api, ADMIN_API_KEY, 'GET', `/v1/pages/${page}/incidents`);
      return (body as { id: string }[]).map(({ id }) => id);
    };
    try {
      const page = await post('/v1/pages', { name: 'Acme' });
      const component = await post(`/v1/pages/${page}/components`, { name: 'API' });
      const incident = (name: string) =>
        post(`/v1/pages/${page}/incidents`, {
          name,
          status: 'investigating',
          body: 'We look into it.',
          components: { [component]: 'major_outage' },
        });
      const first = await incident('Before the takeover');
      await eventually(async () => (await incidentsOf(page)).includes(first));

      const check = await createCheck(api, ADMIN_API_KEY, {
        name: 'Home',
        type: 'web',
        interval: 30,
        timeout: 5,
        url: `http://127.0.0.1:${target.port}/`,
        parameters: { regions: ['eu-west1'] },
      });
      await check.reaches('up', 30);

      const scheduler = await cluster.killHolderOf('scheduler');
      assert.is.not((await cluster.holderOf('scheduler')).pid, scheduler.pid);
      await cluster.killHolderOf(`projection:${projectionKey(incidents)}`);
      const second = await incident('After the takeover');
      await eventually(async () => (await incidentsOf(page)).includes(second), { within: 60_000 });
      const job = await requestRun(api, ADMIN_API_KEY, `${check.path}/execute`);
      const { status, error_message } = await waitForOutcome(api, ADMIN_API_KEY, job, 60);
      assert.is(status, 'completed', error_message ?? '');
      assert.equal((await incidentsOf(page)).sort(), [first, second].sort());
      const { subdomain } = (await callApi(api, ADMIN_API_KEY, 'GET', `/v1/pages/${page}`)).body as {
        subdomain: string;
      };
      const site = await startOne(['site'], { ...cluster.environment, PORT: '0' });
      const visit = async (path: string) => fetch(site.address + path);
      await eventually(
        async () => (await (await visit(`/status/${subdomain}`)).text()).includes('After the takeover'),
        {
          within: 60_000,
        },
      );
      assert.is((await visit(`/v1/pages/${page}`)).status, 404);
      assert.is((await site.end('SIGTERM')).code, 0);
      assert.equal(new Set(await cluster.end()), new Set([0]));
    } finally {
      await cluster.close();
      await target.close();
    }
  });

  test.run();
};

if (!skippedWithoutCluster()) specifications();
