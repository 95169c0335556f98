import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpServer } from '../../probes/web/servers.ts';
import { createCheck } from '../checking.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { assertOnceInMain, assertOnceInResults } from '../evidence.ts';
import { shiftedClock, skippedWithoutFaketime } from '../faketime.ts';
import { openLeases } from '../leases.ts';
import { waitForOutcome } from '../polling.ts';
import { callApi, endPrograms, startOne, uptrail, type RunningProgram } from '../program.ts';
import { eventually, realPause } from '../../waiting.ts';
import { HOUR_SECONDS } from '../../../domain/time.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const CHECKS = 12;
/**
 * How long the successor works alone (`ALONE_MS`), and how long both processes work afterwards (`TOGETHER_MS`), in
 * milliseconds.
 */
const ALONE_MS = 1_000;
const TOGETHER_MS = 3_000;

type Clocks = Record<'api' | 'project' | 'schedule' | 'run', readonly Record<string, string>[]>;

const RIGHT = [{}, {}];
/**
 * Environments in which the clocks of processes differ, as if each ran on a machine of its own. Clocks of processes
 * that schedule or run checks are less than a minute off. Clocks of processes that fold the logs are an hour off.
 */
const SHIFTED: Clocks = {
  api: [shiftedClock(20)],
  project: [shiftedClock(-HOUR_SECONDS), shiftedClock(HOUR_SECONDS)],
  schedule: [shiftedClock(25), shiftedClock(-25)],
  run: [shiftedClock(-40)],
};

/**
 * Runs two processes for each duty that one process performs at a time. Pauses the process that holds the leases until
 * the other has taken over, and then resumes the paused process, which does not know that it has lost the leases. Then
 * repeats this with the roles swapped. Clients send requests all the time.
 */
const takeOver = async (clocks: Clocks): Promise<void> => {
  const servers = await startClusterServers();
  const environment = { ...servers.environment, ADMIN_API_KEY };
  const leases = openLeases(servers.database.url);
  const target = await httpServer((_request, response) => {
    response.statusCode = Math.floor(performance.now() / 1_500) % 2 === 0 ? 200 : 500;
    response.end('That is how it is.');
  });
  const on = (duty: string[], clock: Record<string, string> | undefined): Promise<RunningProgram> =>
    startOne(duty, { ...environment, ...clock });
  try {
    const api = await on(['api'], clocks.api[0]);
    const [project, schedule, run] = await Promise.all([
      on(['project'], clocks.project[0]),
      on(['schedule'], clocks.schedule[0]),
      on(['run', '--region', 'eu-west1'], clocks.run[0]),
    ]);
    await eventually(async () => (await fetch(`${api.address}/health/ready`)).ok, { within: 60_000 });
    await eventually(async () => (await leases.of(schedule)).includes('scheduler'), { within: 60_000 });
    const [otherProject, otherSchedule] = await Promise.all([
      on(['project'], clocks.project[1]),
      on(['schedule'], clocks.schedule[1]),
    ]);

    const url = `http://127.0.0.1:${target.port}/`;
    const post = async (path: string, body: object, key: string): Promise<string> => {
      for (;;) {
        const response = await fetch(api.address + path, {
          method: 'POST',
          headers: { authorization: ADMIN_API_KEY, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify(body),
        });
        const answer = (await response.json()) as { id?: string; job_id?: string };
        if (response.ok) return answer.job_id ?? answer.id ?? '';
        assert.ok([409, 503].includes(response.status), `${path}: ${response.status} ${JSON.stringify(answer)}`);
        await realPause(100, 'a client waits before it repeats itself');
      }
    };
    const definition = { type: 'web', interval: 30, timeout: 5, url, parameters: { regions: ['eu-west1'] } };
    const checks = await Promise.all(
      Array.from({ length: CHECKS }, (_, index) =>
        createCheck(api, ADMIN_API_KEY, { ...definition, name: `Check ${index}` }),
      ),
    );
    const page = await post('/v1/pages', { name: 'Acme' }, 'page');
    const component = await post(`/v1/pages/${page}/components`, { name: 'API' }, 'component');
    const writing = { ended: false };
    const incidents: string[] = [];
    const jobs: string[] = [];
    const write = async (): Promise<void> => {
      for (let number = 0; !writing.ended; number++) {
        const name = `Incident ${number}`;
        const components = { [component]: 'partial_outage' };
        const body = { name, status: 'investigating', body: 'Opened.', components };
        incidents.push(await post(`/v1/pages/${page}/incidents`, body, name));
        const check = checks[number % CHECKS]?.id ?? '';
        jobs.push(await post(`/v1/checks/${check}/execute`, {}, `job ${number}`));
        await realPause(150, 'clients write now and then');
      }
    };
    const written = write();
    // The later `await` reports the error. This handler only avoids an unhandled rejection.
    written.catch(() => undefined);

    const [first, second] = [
      [project, schedule],
      [otherProject, otherSchedule],
    ];
    for (const [stopped, others] of [
      [first, second],
      [second, first],
    ] as const) {
      const held = (await Promise.all(stopped.map(leases.of))).flat();
      assert.ok(held.includes('scheduler') && held.includes('retention'), held.join());
      assert.ok(held.filter((name) => name.startsWith('projection:')).length > 5, held.join());
      for (const { pid } of stopped) process.kill(pid, 'SIGSTOP');
      await eventually(async () => new Set((await Promise.all(others.map(leases.of))).flat()).size >= held.length, {
        within: 60_000,
      });
      await Promise.race([written, realPause(ALONE_MS, 'the successor works alone for a while')]);
      for (const { pid } of stopped) process.kill(pid, 'SIGCONT');
      await Promise.race([written, realPause(TOGETHER_MS, 'the stopped process must take nothing back')]);
      assert.equal((await Promise.all(stopped.map(leases.of))).flat(), [], 'the resumed process takes nothing back');
    }
    writing.ended = true;
    await written;

    for (const job of jobs) {
      const { status, error_message } = await waitForOutcome(api, ADMIN_API_KEY, job, 60);
      assert.is(status, 'completed', error_message ?? '');
    }
    const { body } = await callApi(api, ADMIN_API_KEY, 'GET', `/v1/pages/${page}/incidents?per_page=100`);
    const listed = (body as { id: string }[]).map(({ id }) => id).sort();
    assert.equal(listed, [...incidents].sort(), 'every incident is there, once');

    const programs = [api, project, schedule, run, otherProject, otherSchedule];
    for (const { code, stderr } of await Promise.all(programs.map((program) => program.end('SIGTERM')))) {
      assert.is(code, 0, stderr);
    }
    assert.ok(assertOnceInMain((await uptrail(environment, 'replay', '--log', 'main')).stdout) > 0);
    const evidence = assertOnceInResults((await uptrail(environment, 'replay', '--log', 'results', '--raw')).stdout);
    assert.ok(evidence.results.size >= jobs.length);
    const verified = await uptrail(environment, 'rebuild', '--all', '--verify');
    assert.is(verified.code, 0, verified.stdout + verified.stderr);
  } finally {
    await endPrograms();
    await leases.close();
    await target.close();
    await servers.stop();
  }
};

const specifications = (): void => {
  const test = suite('processes that are paused until their leases expire');
  test.after.each(endPrograms);

  const isSkipped = skippedWithoutFaketime();
  if (isSkipped) {
    test.skip('paused processes whose leases expire do nothing twice on machines whose clocks differ by two hours');
    test('processes that are paused until their leases expire and then continue do nothing twice, and lose nothing', () =>
      takeOver({ api: RIGHT, project: RIGHT, schedule: RIGHT, run: RIGHT }));
  } else {
    test('paused processes whose leases expire do nothing twice and lose nothing on machines whose clocks differ by two hours', () =>
      takeOver(SHIFTED));
  }

  test.run();
};

if (!skippedWithoutCluster()) specifications();
