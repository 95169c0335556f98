import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { randomFrom } from '../contracts/random.ts';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { freePort } from '../servers/ports.ts';
import { createCheck } from './checking.ts';
import { requestRun, waitForOutcome, type ShownJob } from './polling.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually, realPause } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Number of kills. It is smaller in a cluster, where each kill takes as long as a takeover. */
const KILLS = IS_CLUSTER ? 2 : 4;
/** Time limit for the outcome of a job that runs immediately, in seconds. */
const SOON = 15;
/** Time limit for the outcome of any job, in seconds. */
const AT_LAST = 60;
/** Time in seconds after which a job fails if it has not begun (domain/check/run.ts). */
const MAY_WAIT = 60;

const test = suite('on-demand runs');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'clients can poll on-demand runs until the runs are completed, and get the complete result',
  inTemporaryFolder(async (DATA_DIR) => {
    const requested: (string | undefined)[] = [];
    const target = await httpServer((request, response) => {
      requested.push(request.headers.authorization);
      response.end('All is well.');
    });
    const url = `http://127.0.0.1:${target.port}/`;
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const get = async (path: string) => (await callApi(program, ADMIN_API_KEY, 'GET', path)).body;
    const run = async (path: string, body?: object): Promise<ShownJob> =>
      waitForOutcome(program, ADMIN_API_KEY, await requestRun(program, ADMIN_API_KEY, path, body), SOON);

    const definition = { name: 'Shop', type: 'web', interval: 60, timeout: 5, url, active: false };
    const { id, path } = await createCheck(program, ADMIN_API_KEY, definition);
    const ofCheck = await run(`${path}/execute`);
    assert.equal([ofCheck.status, ofCheck.check_id, ofCheck.result?.status], ['completed', id, 'ok']);
    const { results } = (await get(`/v1/checks/all-results?result_id=${ofCheck.result?.result_id ?? ''}`)) as {
      results: { result_type: string; execution_id: string; status: string; check_metadata: { status_code: number } }[];
    };
    assert.equal(
      results.map((result) => [
        result.result_type,
        result.execution_id,
        result.status,
        result.check_metadata.status_code,
      ]),
      [['on_demand', ofCheck.id, 'ok', 200]],
    );

    const parameters = { http_request: { username: 'me', password: 'secret' }, search_text: 'well' };
    const byHand = await run('/v1/checks/execute', { name: 'By hand', type: 'web', url, parameters });
    assert.equal([byHand.status, byHand.check_id, byHand.result?.status], ['completed', null, 'ok']);
    assert.is(requested.at(-1), `Basic ${Buffer.from('me:secret').toString('base64')}`);

    const port = await freePort();
    const refused = await run('/v1/checks/execute', { name: 'By hand', type: 'tcp', host: '127.0.0.1', port });
    assert.equal([refused.status, refused.error_message], ['completed', null]);
    assert.equal(
      [refused.result?.status, refused.result?.error_message],
      ['failed', `Connection refused by 127.0.0.1:${port}.`],
    );

    // The result of a job changes the status of its check, as a scheduled result does.
    await eventually(async () => ((await get(path)) as { status: string }).status === 'up');
    const { jobs } = (await get('/v1/checks/jobs?status=completed')) as { jobs: ShownJob[] };
    assert.equal(
      jobs.map((job) => job.id),
      [refused.id, byHand.id, ofCheck.id],
    );
    assert.is((await program.end('SIGTERM')).code, 0);
    await target.close();
  }),
);

interface Stored {
  data: { result_id: string; region: string; execution_id?: string };
}

test(
  'acknowledged on-demand runs are executed once, no matter how often the program is killed',
  inTemporaryFolder(async (DATA_DIR) => {
    const random = randomFrom(20_261_121);
    const target = await httpServer((_request, response) => {
      setTimeout(() => response.end('All is well.'), random.below(400));
    });
    const url = `http://127.0.0.1:${target.port}/`;
    const PORT = (await freePort()).toString();
    const start = (): Promise<RunningProgram> => serve({ DATA_DIR, ADMIN_API_KEY, PORT });
    const acknowledged: string[] = [];
    const parallel = {
      regions: ['RU, Moscow', 'EU, West', 'IN, Mumbai'],
      multi_region_execution: { enabled: true, execution_mode: 'all' },
    };

    /**
     * Requests one run after another until the program is killed. Any error other than a lost connection fails the
     * test.
     */
    const askOn = async (program: RunningProgram, dying: AbortSignal): Promise<void> => {
      for (;;) {
        const parameters = random.below(3) === 0 ? parallel : {};
        const body = { name: 'By hand', type: 'web', url, timeout: 5, parameters };
        try {
          acknowledged.push(await requestRun(program, ADMIN_API_KEY, '/v1/checks/execute', body));
        } catch (error) {
          if (!(error instanceof TypeError || error instanceof SyntaxError) || !dying.aborted) throw error;
          return;
        }
        await realPause(random.below(60), 'clients send requests now and then');
      }
    };

    for (let kill = 0; kill < KILLS; kill++) {
      const program = await start();
      const dying = new AbortController();
      const asking = Promise.all([askOn(program, dying.signal), askOn(program, dying.signal)]);
      const before = acknowledged.length;
      // In a cluster, the new processes must first take over the leases of the killed ones.
      await Promise.race([asking, eventually(() => acknowledged.length > before, { within: 60_000 })]);
      await Promise.race([asking, realPause(300 + random.below(900), 'the program is killed at any moment')]);
      dying.abort();
      await program.end('SIGKILL');
      await asking;
    }

    const program = await start();
    const mayBeginBy = Date.now() + SOON * 1_000;
    assert.ok(acknowledged.length > KILLS, 'runs were requested between the kills');
    const results = new Map<string, ShownJob['result']>();
    for (const id of acknowledged) {
      const job = await waitForOutcome(program, ADMIN_API_KEY, id, AT_LAST);
      // If restarts on a slow machine took longer than the time limit of the job, the job fails because it waited too
      // long.
      const hadTime = Date.parse(job.created_at) + MAY_WAIT * 1_000 > mayBeginBy;
      if (hadTime || job.error_message === null)
        assert.is(job.status, 'completed', `${id}: ${job.error_message ?? ''}`);
      else assert.match(job.error_message, 'waited longer than');
      results.set(id, job.result);
    }
    assert.is((await program.end('SIGTERM')).code, 0);
    await target.close();

    const { stdout } = await uptrail({ DATA_DIR }, 'replay', '--log', 'results', '--type', 'CheckRunCompleted');
    const stored = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Stored).data);
    assert.is(new Set(stored.map(({ result_id }) => result_id)).size, stored.length, 'no result is stored twice');
    for (const [id, result] of results) {
      // A region may store its result after the deadline of the group. Such a result is stored, but the job ignores it.
      const silent = result?.regional_summary?.filter(({ result_id }) => result_id === null) ?? [];
      const own = stored
        .filter(({ execution_id, region }) => execution_id === id && !silent.some((late) => late.region === region))
        .map(({ result_id }) => result_id);
      const reported = result?.regional_summary?.map(({ result_id }) => result_id) ?? [result?.result_id];
      assert.equal(own.sort(), reported.filter((one) => one != null).sort(), id);
    }
  }),
);

test(
  'on-demand runs that a restart interrupted are repeated once, no matter how long they take',
  inTemporaryFolder(async (DATA_DIR) => {
    let respond: () => void = () => undefined;
    let requested = 0;
    const target = await httpServer((_request, response) => {
      requested += 1;
      respond = () => {
        response.end('All is well.');
      };
    });
    const url = `http://127.0.0.1:${target.port}/`;
    const PORT = (await freePort()).toString();
    const start = (): Promise<RunningProgram> => serve({ DATA_DIR, ADMIN_API_KEY, PORT });
    const isAsked = async (times: number): Promise<void> => {
      await eventually(() => requested >= times, {
        within: AT_LAST * 1_000,
        what: `the target gets ${times} requests`,
      });
    };

    let program = await start();
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      requested = 0;
      const body = { name: 'By hand', type: 'web', url, timeout: 25 };
      const id = await requestRun(program, ADMIN_API_KEY, '/v1/checks/execute', body);
      await isAsked(1);
      await program.end(signal);
      program = await start();
      await isAsked(2);
      await realPause(4_000, 'reactors retry failing items after one second, two, and so on');
      respond();
      assert.is((await waitForOutcome(program, ADMIN_API_KEY, id, AT_LAST)).status, 'completed');
      await realPause(500, 'the target must get no further request');
      assert.is(requested, 2);
      assert.not.match(program.output.stdout + program.output.stderr, 'job-runs');
    }
    assert.is((await program.end('SIGTERM')).code, 0);
    await target.close();
  }),
);

test.run();
