import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CreditLimitExceeded } from '../../domain/credits/credits.ts';
import { groupIdOf } from '../../domain/execution-group/events.ts';
import type { RunToStart, StartRun } from '../../domain/check/run.ts';
import { runIdOf } from '../../domain/job/run.ts';
import { QueueFull } from '../../stores/work-queue/port.ts';
import { THREE_REGIONS } from '../domain/job/examples.ts';
import { shortPause } from './reactor-harness.ts';
import { openJobHarness, ok, refused, START, SERVED_REGIONS } from './job-harness.ts';
import { eventually } from '../waiting.ts';
import { MINUTE_MS } from '../../domain/time.ts';

const test = suite('the reactors of jobs');

const [MOSCOW, WEST] = SERVED_REGIONS;
/**
 * The longest time that a client has to wait for a job, in milliseconds: the default timeout of a check, a minute, and
 * a second for storing the result.
 */
const PATIENCE = 10_000 + MINUTE_MS + 1_000;
const PARALLEL = { parameters: THREE_REGIONS };

/** Returns the sorted ids of the regions of results, one id for each result. */
const regionsOf = (results: readonly { region: string }[]): string[] => results.map(({ region }) => region).sort();

test('a job runs its check, and is completed with the result', async () => {
  const { check, execute, became, results, history, start, service, stop } = await openJobHarness();
  const id = await execute(await check());
  const process = start();
  const job = await became(id, 'completed');
  const [result] = await results(id);
  assert.is(result?.check_id, job.check_id);
  assert.equal(job.result, {
    result_id: result?.result_id,
    region: 'RU, Moscow',
    status: 'ok',
    response_time: 12,
    error_message: null,
  });
  assert.ok(job.started_at !== null && job.completed_at !== null);
  assert.is(job.error_message, null);
  assert.equal(await history(id), ['JobQueued', 'JobOffered', 'JobStarted', 'JobCompleted']);
  const listed = await service.request('GET', `/v1/checks/all-results?result_id=${result?.result_id ?? ''}`);
  const [shown] = (listed.json() as { results: { result_type: string; execution_id: string }[] }).results;
  assert.equal([shown?.result_type, shown?.execution_id], ['on_demand', id]);
  await process.end();
  await stop();
});

test('a job whose run failed is completed, because a failure is a result too', async () => {
  const { executeDefinition, became, start, stop } = await openJobHarness();
  const process = start({ probe: async () => refused });
  const job = await became(await executeDefinition(), 'completed');
  assert.equal([job.check_id, job.result?.['status']], [null, 'failed']);
  assert.is(job.result?.['error_message'], 'Connection refused by 127.0.0.1:81.');
  await process.end();
  await stop();
});

test('a job in several regions runs in all of them concurrently, and is completed when its execution group is completed', async () => {
  const { executeDefinition, became, results, service, start, stop } = await openJobHarness();
  const process = start({ probe: async (region) => (region === WEST.id ? refused : ok) });
  const id = await executeDefinition(PARALLEL);
  const job = await became(id, 'completed');
  const group = groupIdOf(runIdOf(id));
  assert.equal(
    [job.result?.['execution_group_id'], job.result?.['status'], job.result?.['completed_regions']],
    [group, 'partial', 2],
  );
  assert.equal(regionsOf(await results(id)), SERVED_REGIONS.map((region) => region.id).sort());
  const shown = (await service.request('GET', `/v1/execution-groups/${group}`)).json() as Record<string, unknown>;
  assert.equal([shown['status'], shown['execution_type']], ['completed', 'on_demand']);
  await process.end();
  await stop();
});

/**
 * Crashes a process right after each of the appends that a job needs (the first append is the mark of the reactor), and
 * lets another process take over.
 */
const crashes = async (definition: object, appends: number): Promise<void> => {
  for (let lives = 1; lives <= appends; lives++) {
    const { executeDefinition, became, results, history, start, stop } = await openJobHarness();
    const first = start({ lives });
    const id = await executeDefinition(definition);
    await first.died();
    await first.end();
    const second = start();
    const job = await became(id, 'completed');
    const stored = regionsOf(await results(id));
    const places = definition === PARALLEL ? SERVED_REGIONS.map((region) => region.id) : [MOSCOW.id];
    assert.equal(stored, [...places].sort(), `after ${lives} appends each region has its result once`);
    assert.is(job.result?.['status'], definition === PARALLEL ? 'completed' : 'ok');
    assert.equal(await history(id), ['JobQueued', 'JobOffered', 'JobStarted', 'JobCompleted']);
    await second.end();
    await stop();
  }
};

test('no job is lost and no result is stored twice when the process dies after any step', () => crashes({}, 5));

test('no job in several regions is lost when the process dies after any step, and only regions without a result run again', () =>
  crashes(PARALLEL, 8));

test('a job requested while the clock was two days ahead runs immediately', async () => {
  const { executeDefinition, became, results, start, time, stop } = await openJobHarness();
  time.now = START + 2 * 1_440 * MINUTE_MS;
  const id = await executeDefinition();
  time.now = START;
  const process = start();
  await became(id, 'completed');
  assert.is((await results(id)).length, 1);
  await process.end();
  await stop();
});

test('a job is started when a runner has started its run; for a job in several regions, the first runner counts', async () => {
  const { executeDefinition, became, handedOver, job, history, start, stop } = await openJobHarness();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const probe = () => answered.then(() => ok);
  const nobody = start({ served: [] });
  const ids = [await executeDefinition(), await executeDefinition(PARALLEL)];
  for (const id of ids) {
    await handedOver(id);
    const { status, started_at } = await job(id);
    assert.equal([status, started_at], ['queued', null]);
  }
  await nobody.end();
  const process = start({ probe });
  for (const id of ids) assert.ok((await became(id, 'started')).started_at !== null);
  answer();
  for (const id of ids) {
    await became(id, 'completed');
    assert.equal(await history(id), ['JobQueued', 'JobOffered', 'JobStarted', 'JobCompleted']);
  }
  await process.end();
  await stop();
});

test('the result of a run whose check was changed during the run is stored, and does not affect the check', async () => {
  const { check, execute, became, results, service, start, stop } = await openJobHarness();
  const id = await check();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const process = start({ probe: () => answered.then(() => refused) });
  const job = await execute(id);
  await became(job, 'started');
  await service.request('PATCH', `/v1/checks/${id}`, { body: { url: 'http://127.0.0.1:82/' } });
  answer();
  await became(job, 'completed');
  assert.equal(
    (await results(job)).map(({ status, outdated }) => [status, outdated]),
    [['down', true]],
  );
  const shown = (await service.request('GET', `/v1/checks/${id}`)).json() as Record<string, unknown>;
  assert.equal([shown['status'], shown['last_checked_at']], ['pending', null]);
  const again = await execute(id);
  await became(again, 'completed');
  assert.equal(
    (await results(again)).map(({ outdated }) => outdated),
    [undefined],
  );
  await process.end();
  await stop();
});

test('a job whose region has no runner fails after its timeout and a minute', async () => {
  const { executeDefinition, job, became, handedOver, history, stir, start, time, stop } = await openJobHarness();
  const process = start({ served: [WEST] });
  const id = await executeDefinition();
  await handedOver(id);
  time.now = START + PATIENCE - 1;
  await stir();
  assert.is((await job(id)).status, 'queued');
  time.now = START + PATIENCE;
  await stir();
  const failed = await became(id, 'failed');
  assert.is(failed.error_message, 'The run waited longer than 70 seconds for a runner and was given up.');
  assert.is(failed.result, null);
  assert.equal(await history(id), ['JobQueued', 'JobOffered', 'JobFailed']);
  await process.end();
  await stop();
});

test('a run that is still queued at a restart runs afterwards unless the latest time for its start has passed', async () => {
  const { executeDefinition, became, handedOver, results, start, time, stop } = await openJobHarness();
  const first = start({ served: [] });
  const id = await executeDefinition();
  await handedOver(id);
  await first.end();
  time.now = START + MINUTE_MS - 1;
  const process = start();
  await became(id, 'completed');
  assert.is((await results(id)).length, 1);
  await process.end();
  await stop();
});

/**
 * Creates options for a process whose runs wait until `letGo` is called. Records the regions in which runs have
 * started, and the requests to start a run.
 */
const holding = () => {
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const seen = { began: [] as string[], pushed: [] as RunToStart[] };
  return {
    ...seen,
    letGo: () => {
      letGo();
    },
    options: {
      probe: async (region: string) => {
        seen.began.push(region);
        await released;
        return ok;
      },
      startRun:
        (startRun: StartRun): StartRun =>
        (run) => {
          seen.pushed.push(run);
          return startRun(run);
        },
    },
  };
};

/**
 * Ends a process while the run of a job is in progress, and lets the reactor of the next process read its list several
 * times.
 */
const restarts = async (definition: object, places: readonly string[]): Promise<void> => {
  const { executeDefinition, became, results, history, logged, start, stir, time, stop } = await openJobHarness();
  const [before, after] = [holding(), holding()];
  const first = start(before.options);
  const id = await executeDefinition(definition);
  await became(id, 'started');
  await eventually(() => before.began.length >= places.length);
  const ended = first.end();
  before.letGo();
  await ended;
  // The failures of a dying process are ignored.
  logged.length = 0;
  const second = start(after.options);
  await eventually(() => after.began.length >= places.length);
  for (let round = 0; round < 4; round++) {
    time.now += 5_000;
    await stir();
  }
  assert.equal(
    after.pushed.filter(({ run_id }) => run_id === runIdOf(id)).map(({ again }) => again),
    [true],
  );
  after.letGo();
  await became(id, 'completed');
  assert.equal(after.began.slice(0, places.length).sort(), [...places].sort());
  assert.equal(regionsOf(await results(id)), [...places].sort());
  assert.equal(await history(id), ['JobQueued', 'JobOffered', 'JobStarted', 'JobCompleted']);
  assert.equal(logged, []);
  await second.end();
  await stop();
};

test('a run in progress at a restart runs again exactly once', () => restarts({}, [MOSCOW.id]));

test('a parallel run in progress at a restart runs again exactly once in each of its regions', () =>
  restarts(
    PARALLEL,
    SERVED_REGIONS.map(({ id }) => id),
  ));

test('a new process leaves started runs to a durable queue, and queues runs again that might not have reached it', async () => {
  const { executeDefinition, became, handedOver, logged, start, stop } = await openJobHarness();
  const [before, after] = [holding(), holding()];
  const first = start({ ...before.options, served: [MOSCOW] });
  const begun = await executeDefinition();
  const inSeveralRegions = await executeDefinition(PARALLEL);
  for (const id of [begun, inSeveralRegions]) await became(id, 'started');
  const waiting = await executeDefinition({ parameters: { regions: [WEST.id] } });
  await handedOver(waiting);
  const ended = first.end();
  before.letGo();
  await ended;
  logged.length = 0;
  const second = start({ ...after.options, served: [], queueIsDurable: true });
  await eventually(() => after.pushed.length >= 2);
  await shortPause();
  assert.equal(
    after.pushed.map(({ run_id, again }) => [run_id, again]).sort(),
    [inSeveralRegions, waiting].map((id) => [runIdOf(id), true]).sort(),
  );
  assert.equal(logged, []);
  await second.end();
  await stop();
});

test('a run that every queue rejected at first is queued only once, even if it then waits in the queue for long', async () => {
  const { executeDefinition, became, handedOver, results, logged, start, time, stir, stop } = await openJobHarness();
  const pushed: string[] = [];
  let full = true;
  const process = start({
    served: [WEST],
    startRun: (startRun) => (run) => {
      if (full) return Promise.reject(new QueueFull('ru-central1', 1));
      pushed.push(run.run_id);
      return startRun(run);
    },
  });
  const id = await executeDefinition();
  await handedOver(id);
  await eventually(() => logged.some((line) => line.includes('ru-central1')));
  full = false;
  for (let round = 0; round < 4; round++) {
    time.now += 5_000;
    await stir();
  }
  assert.equal(
    pushed.filter((runId) => runId === runIdOf(id)),
    [runIdOf(id)],
  );
  assert.not.match(logged.join('\n'), 'still on the list');
  await process.end();
  const next = start();
  await became(id, 'completed');
  assert.is((await results(id)).length, 1);
  await next.end();
  await stop();
});

test('a run queued by the same process does not run again when its reactor restarts', async () => {
  const { executeDefinition, became, handedOver, results, logged, start, time, stop } = await openJobHarness();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const runs: string[] = [];
  let late = false;
  const process = start({
    probe: async () => {
      await answered;
      return ok;
    },
    startRun: (startRun) => async (run) => {
      runs.push(run.run_id);
      return startRun(run);
    },
    reading: () => {
      if (late) throw new Error('The read model is late.');
    },
  });
  const id = await executeDefinition();
  await handedOver(id);
  late = true;
  const other = await executeDefinition();
  await eventually(() => logged.some((line) => line.includes('cannot work now')));
  late = false;
  time.now += 1_000;
  await handedOver(other);
  answer();
  await became(id, 'completed');
  await became(other, 'completed');
  assert.equal(runs, [runIdOf(id), runIdOf(other)]);
  assert.is((await results(id)).length, 1);
  await process.end();
  await stop();
});

test('jobs that were waiting or running before a long downtime of the service fail with an error message', async () => {
  const { executeDefinition, became, handedOver, results, start, time, stop } = await openJobHarness();
  const first = start({ served: [] });
  const started = await executeDefinition();
  await handedOver(started);
  await first.end();
  const queued = await executeDefinition();
  time.now = START + 60 * MINUTE_MS;
  const second = start();
  for (const id of [started, queued]) {
    const { error_message } = await became(id, 'failed');
    assert.match(error_message ?? '', 'waited longer than 70 seconds');
    assert.equal(await results(id), []);
  }
  await second.end();
  await stop();
});

test('a job whose result was stored while no process was running is completed, however late', async () => {
  const { executeDefinition, became, handedOver, results, start, time, stop } = await openJobHarness();
  const deaf = start({ reactors: ['job-runs'] });
  const id = await executeDefinition();
  await handedOver(id);
  await eventually(async () => (await results(id)).length > 0);
  await deaf.end();
  time.now = START + 60 * MINUTE_MS;
  const process = start({ reactors: ['job-runs'] });
  assert.is((await became(id, 'completed', 'failed')).result?.['status'], 'ok');
  assert.is((await results(id)).length, 1);
  await process.end();
  await stop();
});

test('a job in several regions is completed when its execution group has ended, even if one region has no runner', async () => {
  const { check, execute, became, handedOver, service, stir, start, time, stop } = await openJobHarness();
  const process = start({ served: [MOSCOW, WEST] });
  const id = await execute(await check(THREE_REGIONS));
  const group = `/v1/execution-groups/${groupIdOf(runIdOf(id))}`;
  const shown = async () => (await service.request('GET', group)).json() as Record<string, Record<string, unknown>>;
  await handedOver(id);
  const answered = async () =>
    (await service.request('GET', group)).status === 200 ? ((await shown())['regional_summary'] ?? {}) : {};
  await eventually(async () => Object.keys(await answered()).length >= 2);
  time.now = START + 10_000 + 30_000 + 1_000;
  await stir();
  const job = await became(id, 'completed');
  const { regional_summary: regions, ...result } = job.result ?? {};
  assert.equal(result, {
    execution_group_id: groupIdOf(runIdOf(id)),
    status: 'partial',
    total_regions: 3,
    completed_regions: 2,
    failed_regions: 1,
    avg_response_time: 12,
    min_response_time: 12,
    max_response_time: 12,
  });
  const silent = (regions as Record<string, unknown>[]).find(({ region }) => region === 'IN, Mumbai');
  assert.equal([silent?.['status'], silent?.['result_id']], ['timeout', null]);
  assert.equal((await shown())['status'], 'timeout');
  await process.end();
  await stop();
});

test('a job in several regions is completed as failed if the service was down until after its deadline', async () => {
  const { executeDefinition, became, handedOver, start, time, stop } = await openJobHarness();
  const first = start({ served: [] });
  const id = await executeDefinition(PARALLEL);
  await handedOver(id);
  await shortPause();
  await first.end();
  time.now = START + 60 * MINUTE_MS;
  const second = start();
  const { result } = await became(id, 'completed');
  assert.equal([result?.['status'], result?.['failed_regions']], ['failed', 3]);
  await second.end();
  await stop();
});

test('waiting and running jobs of a deleted check fail, and stay stored', async () => {
  const { check, execute, executeDefinition, became, handedOver, job, service, start, stop } = await openJobHarness();
  const id = await check();
  const first = start({ served: [] });
  const underWay = await execute(id);
  await handedOver(underWay);
  const byHand = await executeDefinition();
  await service.request('DELETE', `/v1/checks/${id}`);
  assert.is((await became(underWay, 'failed')).error_message, 'The check was deleted.');
  await handedOver(byHand);
  await first.end();

  const other = await check();
  const waiting = await execute(other);
  await service.request('DELETE', `/v1/checks/${other}`);
  const second = start();
  assert.is((await became(waiting, 'failed', 'completed')).error_message, 'The check was deleted.');
  assert.is((await job(underWay)).check_id, id);
  await became(byHand, 'completed');
  await second.end();
  await stop();
});

test('a job with a result fails if its check is deleted before the job is completed, because the result is no longer shown', async () => {
  const { check, execute, became, results, service, start, stop } = await openJobHarness();
  const id = await check();
  const deaf = start({ reactors: ['job-runs'] });
  const job = await execute(id);
  await eventually(async () => (await results(job)).length > 0);
  await deaf.end();
  await service.request('DELETE', `/v1/checks/${id}`);
  const process = start({ reactors: ['job-results'] });
  assert.is((await became(job, 'failed', 'completed')).error_message, 'The check was deleted.');
  await process.end();
  await stop();
});

test('a run that no queue accepted is started again, and a run that exceeds the credit limit fails', async () => {
  const { executeDefinition, became, handedOver, results, logged, start, time, stir, stop } = await openJobHarness();
  let full = 1;
  const process = start({
    startRun: (startRun) => (run) => {
      if (full-- > 0) return Promise.reject(new QueueFull('ru-central1', 1));
      return startRun(run);
    },
  });
  const id = await executeDefinition();
  await handedOver(id);
  await shortPause();
  time.now = START + 2_000;
  await stir();
  await became(id, 'completed');
  assert.is((await results(id)).length, 1);
  assert.match(logged.join('\n'), 'The queue of region ru-central1');
  await process.end();

  const unpaid = start({ startRun: () => () => Promise.reject(new CreditLimitExceeded()) });
  const refusedJob = await became(await executeDefinition(), 'failed');
  assert.is(refusedJob.error_message, 'Credit limit exceeded');
  await unpaid.end();
  await stop();
});

test.run();
