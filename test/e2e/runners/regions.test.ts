import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApiExpecting, callApi, endPrograms, serve } from '../program.ts';
import {
  ADMIN_API_KEY,
  waitForConnected,
  createRunner,
  openPausableSite,
  otherOrganization,
  runnersOf,
  startRunner,
  storedResults,
} from './remote.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;

const test = suite('remote runners of regions');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'remote runners store the results of two regions and of a private location, which only its organization can use',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: `${folder}/service`, ADMIN_API_KEY };
    const service = await serve(environment);
    const other = await otherOrganization(environment);
    const site = await openPausableSite();
    const west = await createRunner(service, { name: 'West', region: 'eu-west1' });
    const mumbai = await createRunner(service, { name: 'Mumbai', region: 'IN, Mumbai' });
    const cellar = await createRunner(service, { name: 'Cellar' });
    const all = [west, mumbai, cellar];
    const programs = await Promise.all(
      all.map(({ id, token }) => startRunner(service, { token, folder: `${folder}/${id}` })),
    );
    for (const { id } of all) await waitForConnected(service, id);

    const regions = all.map(({ region }) => region);
    const parameters = {
      regions,
      multi_region_execution: {
        enabled: true,
        execution_mode: 'all',
        alert_policy: { condition: 'majority' },
      },
    };
    const definition = { name: 'Shop', type: 'web', interval: 3_600, timeout: 10, url: site.url, parameters };
    const check = await createCheck(service, ADMIN_API_KEY, definition);
    await check.reaches('up', SOON);
    const job = await waitForOutcome(
      service,
      ADMIN_API_KEY,
      await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`),
      SOON,
    );
    assert.equal([job.status, job.result?.status, job.result?.completed_regions], ['completed', 'completed', 3]);
    const stored = await storedResults(service, `execution_group_id=${job.result?.execution_group_id ?? ''}`);
    assert.equal(
      stored.map(({ region, check_server }) => [region, check_server.server_metadata.runner]).sort(),
      [
        ['EU, West', 'West'],
        ['IN, Mumbai', 'Mumbai'],
        [cellar.region, 'Cellar'],
      ].sort(),
    );
    // First a minority of the regions fails, then a majority.
    for (const [failing, status] of [
      [1, 'up'],
      [2, 'down'],
    ] as const) {
      site.fail(failing);
      const some = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
      const { result } = await waitForOutcome(service, ADMIN_API_KEY, some, SOON);
      const bad = result?.regional_summary?.filter((one) => one.status !== 'ok') ?? [];
      assert.is(bad.length, failing);
      await check.reaches(status, SOON);
    }

    // Another organization has no access to the runners.
    assert.equal(await runnersOf(service, other), []);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.is(
        (
          await callApi(
            service,
            other,
            method,
            `/v1/runners/${cellar.id}`,
            method === 'PATCH' ? { name: 'Mine' } : undefined,
          )
        ).status,
        404,
      );
    const listed = await callApiExpecting<{ id: string }[]>(service, other, 200, 'GET', '/v1/checks/get-regions');
    assert.not.ok(JSON.stringify(listed).includes(cellar.region));
    const foreign = { ...definition, parameters: { regions: [cellar.region] } };
    const unknown = { ...definition, parameters: { regions: ['private-000000000000'] } };
    const refusals = [];
    for (const body of [foreign, unknown])
      for (const path of ['/v1/checks', '/v1/checks/execute'])
        refusals.push(await callApi(service, other, 'POST', path, body));
    assert.equal(
      refusals.map(({ status }) => status),
      [400, 400, 400, 400],
    );
    const output = refusals.map(({ body }) =>
      JSON.stringify(body).replaceAll(cellar.region, 'it').replaceAll('private-000000000000', 'it'),
    );
    assert.equal(output.slice(0, 2), output.slice(2));
    assert.is(
      (await callApi(service, other, 'POST', '/v1/runners', { name: 'Mine', region: cellar.region })).status,
      400,
    );
    assert.is((await callApi(service, other, 'POST', '/v1/runners', { name: 'Mine', region: 'eu-west1' })).status, 403);

    for (const program of programs) assert.is((await program.end('SIGTERM')).code, 0);
    for (const { id } of all) await waitForConnected(service, id, 0);
  }),
);

test.run();
