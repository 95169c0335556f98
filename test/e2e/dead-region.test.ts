import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { createCheck } from './checking.ts';
import { requestRun, waitForOutcome } from './polling.ts';
import { callApi, endPrograms, serve } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Timeout of the check, in seconds. An execution group waits half a minute longer than this timeout. */
const TIMEOUT = 1;

const test = suite('a region without a runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'in a parallel run, a region without a runner makes the result partial, and the group names this region',
  inTemporaryFolder(async (DATA_DIR) => {
    const target = await httpServer((_request, response) => response.end('All is well.'));
    const url = `http://127.0.0.1:${target.port}/`;
    const parameters = {
      regions: ['eu-west1', 'in-mum1', 'za-jnb1'],
      multi_region_execution: { enabled: true, execution_mode: 'all' },
    };
    const definition = { name: 'Shop', type: 'web', interval: 60, timeout: TIMEOUT, url, parameters, active: false };

    const whole = await serve({ DATA_DIR, ADMIN_API_KEY });
    const { id, path } = await createCheck(whole, ADMIN_API_KEY, definition);
    await whole.end('SIGTERM');

    const program = await serve({ DATA_DIR, ADMIN_API_KEY, REGIONS: 'eu-west1,in-mum1' });
    const get = async (way: string) =>
      (await callApi(program, ADMIN_API_KEY, 'GET', way)).body as Record<string, unknown>;
    const jobId = await requestRun(program, ADMIN_API_KEY, `${path}/execute`);
    const job = await waitForOutcome(program, ADMIN_API_KEY, jobId, TIMEOUT + 45);
    assert.equal([job.status, job.check_id, job.result?.status], ['completed', id, 'partial']);
    assert.equal([job.result?.completed_regions, job.result?.failed_regions], [2, 1]);
    const summary = job.result?.regional_summary ?? [];
    assert.equal(
      summary.map(({ region, status, result_id }) => [region, status, result_id !== null]),
      [
        ['EU, West', 'ok', true],
        ['IN, Mumbai', 'ok', true],
        ['ZA, Johannesburg', 'timeout', false],
      ],
    );

    const groupId = job.result?.execution_group_id ?? '';
    const group = await get(`/v1/execution-groups/${groupId}`);
    assert.equal([group['check_id'], group['execution_type'], group['status']], [id, 'on_demand', 'timeout']);
    assert.equal(group['requested_regions'], ['EU, West', 'IN, Mumbai', 'ZA, Johannesburg']);
    const statistics = group['statistics'] as Record<string, unknown>;
    const { total_executions, completed_executions, failed_executions } = statistics;
    assert.equal([total_executions, completed_executions, failed_executions], [3, 2, 1]);
    const { regional_results } = await get(`/v1/execution-groups/${groupId}/regional-results`);
    assert.equal(
      (regional_results as { result_id: string | null }[]).map(({ result_id }) => result_id),
      summary.map(({ result_id }) => result_id),
    );
    const { results } = await get(`/v1/checks/all-results?execution_group_id=${groupId}`);
    assert.is((results as unknown[]).length, 2);
    // The check is up, because both regions that responded succeeded.
    assert.is((await get(path))['status'], 'up');
    assert.is((await program.end('SIGTERM')).code, 0);
    await target.close();
  }),
);

test.run();
