import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClusterLog } from '../../service/cluster/stores.ts';
import { isCluster, readConfig } from '../../service/config/config.ts';
import { REGIONS } from '../../domain/check/regions.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { startClusterServers, type ClusterServers } from '../../test/e2e/cluster-servers.ts';
import type { ServerProcess } from '../../test/servers/eventstoredb/process.ts';
import { startOne, type RunningProgram } from '../../test/e2e/program.ts';
import { createCallCounter, createCommandCounter, countRequests, type CountingProxy } from '../tools/counting-proxy.ts';
import { callApi } from '../http/http.ts';
import { startProgram } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const KEY = 'benchmark-admin-key';
/** Duration of the measurement of idle processes, in seconds. */
const SECONDS = sizeOf('IDLE_SECONDS', 20);
/** Time after the start of a process until it counts as idle. */
const SETTLED_MS = sizeOf('IDLE_SETTLED_SECONDS', 30) * 1_000;
/** Time that a standby gets to observe which leases have holders. */
const STANDBY_MS = 10_000;
const SAMPLES = sizeOf('IDLE_SAMPLES', 20);
/** Number of takeovers per duty and signal. */
const TAKEOVERS = sizeOf('IDLE_TAKEOVERS', 2);
const POLL_MS = 5;
/**
 * Pause between two samples, so that each begins while the cluster is idle. It is not a multiple of any interval in the
 * program, so that samples do not always begin at the same moment of an interval.
 */
const REST_MS = 1_370;

/**
 * Measures the cost of an idle cluster with one process per duty, and how fast it reacts: the time from a result to
 * `down`, the duration of a job, and the time until a standby has taken over. EventStoreDB and MongoDB are replaced by
 * the tests' stand-ins.
 */
export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const servers = await startClusterServers(folder);
  const { own } = servers.eventStoreDb;
  // The counts include all requests to the server, so it must serve only this run.
  if (!own) {
    console.log('skipped: idle requires an EventStoreDB of its own (EVENTSTOREDB_COMMAND)');
    await servers.stop();
    return [];
  }
  const environment = { ...servers.environment, ADMIN_API_KEY: KEY, LOG_LEVEL: 'warn', NODE_ENV: 'production' };
  const region = REGIONS[0]?.aliases[0] ?? '';
  const embedded = await startProgram({ LOG_LEVEL: 'warn' });
  const started: CountedCluster[] = [];
  const start = async (...parameters: string[]): Promise<CountedCluster> => {
    const one = await startCounted(servers, own, environment, parameters);
    started.push(one);
    return one;
  };
  const target = createServer((_request, response) => response.writeHead(503).end('Something is wrong.'));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  try {
    const [api, project, schedule, run] = await Promise.all([
      start('api'),
      start('project'),
      start('schedule'),
      start('run', '--region', region),
    ]);
    const program = { address: api.started.address, key: KEY };
    while (!(await fetch(`${program.address}/health/ready`)).ok) await sleep(100);
    const standbys = { schedule: await start('schedule'), project: await start('project') };
    await sleep(SETTLED_MS);
    const all = [api, project, schedule, run, standbys.project, standbys.schedule];
    const idle = await idleness([...all.map(({ started: { pid } }) => pid), embedded.pid], all);
    const down = await fromResultToDown(program, environment, url);
    const job = await many(() => jobOf(program, url));
    const scheduleTakeover = await takeovers(program, url, [schedule, standbys.schedule], () => start('schedule'));
    const projectTakeover = await takeovers(program, url, [project, standbys.project], () => start('project'));
    const names = ['api', 'project', 'schedule', 'run', 'project, standby', 'schedule, standby', 'embedded'];
    const beside: Record<string, string> = {
      api: `run on demand, from request to end: ${job}`,
      project: projectTakeover,
      schedule: `result to down: ${down}; ${scheduleTakeover}`,
    };
    return names.map((name, index) => ({
      what: `idle: ${name}, load ${idle.load.toFixed(1)}`,
      figure: idle.figures[index] ?? '',
      peer: beside[name] ?? '',
      ratio: idle.cpu[index] ?? Number.NaN,
      aim: '< 1 %',
    }));
  } finally {
    for (const { started: program, close } of started) {
      await program.end('SIGKILL');
      close();
    }
    await embedded.stop();
    target.close();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

export interface CountedCluster {
  started: RunningProgram;
  mongoDb: CountingProxy;
  eventStoreDb: CountingProxy;
  close: () => void;
}

/** Starts a process whose requests to the servers are counted. */
export const startCounted = async (
  servers: ClusterServers,
  own: ServerProcess,
  environment: Record<string, string>,
  parameters: readonly string[],
): Promise<CountedCluster> => {
  const mongoDb = await countRequests(servers.mongoDb.port, createCommandCounter);
  const eventStoreDb = await countRequests(own.port, createCallCounter);
  const started = await startOne(parameters, {
    ...environment,
    MONGODB_URL: servers.database.through(mongoDb),
    EVENTSTOREDB_URL: `esdb://127.0.0.1:${eventStoreDb.port}?tls=false`,
  });
  const close = (): void => {
    mongoDb.close();
    eventStoreDb.close();
  };
  return { started, mongoDb, eventStoreDb, close };
};

/** Measures the usage of processes that get no requests. */
const idleness = async (pids: readonly number[], counted: readonly CountedCluster[]) => {
  const look = () => ({
    at: performance.now(),
    cpu: pids.map((pid) => usageOf(pid).cpu),
    counts: counted.map(({ mongoDb, eventStoreDb }) => [mongoDb.count(), eventStoreDb.count()] as const),
  });
  const before = look();
  await sleep(SECONDS * 1_000);
  const after = look();
  const seconds = (after.at - before.at) / 1_000;
  const cpu = after.cpu.map((used, index) => ((used - (before.cpu[index] ?? 0)) / seconds) * 100);
  const figures = cpu.map((percent, index) => {
    const [from, to] = [before.counts[index], after.counts[index]];
    const rates = from && to && to.map((count, which) => ((count - (from[which] ?? 0)) / seconds).toFixed(1));
    return `${percent.toFixed(2)} %${rates ? `; ${rates[0] ?? ''} commands, ${rates[1] ?? ''} calls per second` : ''}`;
  });
  return { cpu, figures, load: loadavg()[0] ?? Number.NaN };
};

type Asked = { address: string; key: string };

const shown = (milliseconds: readonly number[]): string =>
  `${median(milliseconds).toFixed(0)} ms, p95 ${percentile(milliseconds, 0.95).toFixed(0)}`;

const many = async (sample: () => Promise<number>): Promise<string> => {
  const milliseconds: number[] = [];
  for (let count = 0; count < SAMPLES; count++) {
    await sleep(REST_MS);
    milliseconds.push(await sample());
  }
  return shown(milliseconds);
};

/** Measures the time from when a result can be read in the log until the API shows its check as down. */
const fromResultToDown = async (program: Asked, environment: Record<string, string>, url: string): Promise<string> => {
  const config = readConfig(environment);
  if (!isCluster(config)) throw new Error('This is a cluster.');
  const results = createCheckedStore(await openClusterLog(config, 'results'));
  const stop = new AbortController();
  const stored = new Map<string, number>();
  const following = follow(results, stored, stop.signal);
  try {
    return await many(async () => {
      const body = { name: 'Check', type: 'web', interval: 3_600, url };
      const { id } = (await callApi(program, { path: '/v1/checks', body })) as { id: string };
      for (let status = ''; status !== 'down';) {
        await sleep(POLL_MS);
        ({ status } = (await callApi(program, { path: `/v1/checks/${id}` })) as { status: string });
      }
      return performance.now() - (stored.get(id) ?? Number.NaN);
    });
  } finally {
    stop.abort();
    await following;
    await results.close();
  }
};

/** Records when the result of each check arrives in the log. */
const follow = async (results: EventStore, stored: Map<string, number>, signal: AbortSignal): Promise<void> => {
  const after = await markLog(results, Date.now());
  for await (const events of results.subscribe({ after, categories: ['check_results'], signal })) {
    for (const { data } of events) stored.set((data as { check_id: string }).check_id, performance.now());
  }
};

/** Requests a run, and returns the milliseconds until its job has ended. */
const jobOf = async (program: Asked, url: string): Promise<number> => {
  const begun = performance.now();
  const body = { name: 'Run', type: 'web', url, timeout: 10 };
  const { job_id } = (await callApi(program, { path: '/v1/checks/execute', body })) as { job_id: string };
  for (let status = ''; status !== 'completed';) {
    await sleep(POLL_MS);
    const path = `${program.address}/v1/checks/jobs/${job_id}`;
    const response = await fetch(path, { headers: { authorization: program.key } });
    // While no process folds the log, the API does not know the job, and the status stays empty.
    ({ status = '' } = (await response.json()) as { status?: string });
    if (status === 'failed') throw new Error(`The job ${job_id} failed.`);
  }
  return performance.now() - begun;
};

/** Measures the duration of a run on demand. Before each run, a process that the run needs is ended. */
const takeovers = async (
  program: Asked,
  url: string,
  pair: readonly [CountedCluster, CountedCluster],
  start: () => Promise<CountedCluster>,
): Promise<string> => {
  let [active, standby] = pair;
  const told: string[] = [];
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const milliseconds: number[] = [];
    for (let count = 0; count < TAKEOVERS; count++) {
      const ended = active.started.end(signal);
      milliseconds.push(await jobOf(program, url));
      await ended;
      active = standby;
      standby = await start();
      await sleep(STANDBY_MS);
    }
    told.push(`run requested at ${signal}: ${median(milliseconds).toFixed(0)} ms`);
  }
  return told.join('; ');
};
