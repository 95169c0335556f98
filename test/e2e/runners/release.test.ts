import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApiExpecting, endPrograms, serve, uptrail, type RunningProgram } from '../program.ts';
import { ADMIN_API_KEY, commandLine, createRunner, openPausableSite, startRunner, storedResults } from './remote.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;

const test = suite('remote runners of regions');
test.after.each(endPrograms);
test.after.each(closeServers);

/** Returns the check types that can currently run in a region. */
const typesIn = async (service: RunningProgram, region: string): Promise<string[]> => {
  const { regions } = await callApiExpecting<{ regions: { id: string; available_check_types: string[] }[] }>(
    service,
    ADMIN_API_KEY,
    200,
    'GET',
    '/v1/checks/get-regions',
  );
  return regions.find(({ id }) => id === region)?.available_check_types ?? [];
};

test(
  'the built-in runner does not serve a region of remote runners until the region is released',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: `${folder}/service`, ADMIN_API_KEY };
    const service = await serve(environment);
    const site = await openPausableSite();
    const check = await createCheck(service, ADMIN_API_KEY, {
      name: 'Shop',
      type: 'web',
      interval: 3_600,
      timeout: 10,
      url: site.url,
      parameters: { regions: ['eu-west1'] },
    });
    await check.reaches('up', SOON);
    const { id, token } = await createRunner(service, { name: 'West', region: 'eu-west1' });
    const first = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
    assert.equal(await typesIn(service, 'EU, West'), []);
    const program = await startRunner(service, { token, folder });
    const served = async (job: string): Promise<string | undefined> => {
      const { status, result } = await waitForOutcome(service, ADMIN_API_KEY, job, SOON);
      assert.is(status, 'completed');
      const [stored] = await storedResults(service, `result_id=${result?.result_id ?? ''}`);
      return stored?.check_server.server_metadata.runner;
    };
    assert.is(await served(first), 'West');
    await program.end('SIGTERM');
    await eventually(async () => (await typesIn(service, 'EU, West')).length === 0);

    const refused = await uptrail(environment, 'runner', 'release', 'eu-west1');
    assert.is(refused.code, 1);
    assert.match(refused.stderr, /"West"/);
    await callApiExpecting(service, ADMIN_API_KEY, 204, 'DELETE', `/v1/runners/${id}`);
    assert.equal(await typesIn(service, 'EU, West'), [], 'revoked, and not released');
    const second = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
    await commandLine(environment, 'runner', 'release', 'eu-west1');
    assert.is(await served(second), undefined);
    assert.ok((await typesIn(service, 'EU, West')).includes('web'));
    assert.is((await service.end('SIGTERM')).code, 0);
  }),
);

test.run();
