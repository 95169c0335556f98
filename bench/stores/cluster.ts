import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClusterCoordination, openClusterLog, openClusterReadModels } from '../../service/cluster/stores.ts';
import { isCluster, readConfig } from '../../service/config/config.ts';
import { REGIONS } from '../../domain/check/regions.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { rebuild } from '../../projections/engine/generations/rebuild.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { startClusterServers } from '../../test/e2e/cluster-servers.ts';
import { startOne } from '../../test/e2e/program.ts';
import { callApi, fillPages, measureLoad } from '../http/http.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { median, perSecond, type Row } from '../tools/table.ts';

const KEY = 'benchmark-admin-key';
const SECONDS = 5;
const RUNS = 300;

/**
 * Measures the throughput of each duty of a cluster with one process per duty, and compares it with an embedded service
 * in the same run. EventStoreDB and MongoDB are replaced by the tests' stand-ins.
 */
export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const servers = await startClusterServers(folder);
  const environment = { ...servers.environment, ADMIN_API_KEY: KEY, LOG_LEVEL: 'warn', NODE_ENV: 'production' };
  const region = REGIONS[0]?.aliases[0] ?? '';
  const programs = await Promise.all(
    [['api'], ['project'], ['schedule'], ['run', '--region', region]].map((duty) => startOne(duty, environment)),
  );
  const embedded = await startProgram({ LOG_LEVEL: 'warn' });
  const target = createServer((_request, response) => response.end('All is well.'));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  try {
    const cluster = { address: programs[0]?.address ?? '', key: KEY };
    while (!(await fetch(`${cluster.address}/health/ready`)).ok) await sleep(100);
    const rows = [
      ...(await requests(cluster, embedded)),
      await compare('schedule and run: runs on demand', await runs(cluster, url), await runs(embedded, url)),
    ];
    for (const program of programs.splice(0)) await program.end('SIGTERM');
    return [...rows, await folding(environment)];
  } finally {
    for (const program of programs) await program.end('SIGKILL');
    await embedded.stop();
    target.close();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

type Asked = Pick<Program, 'address' | 'key'>;
type Post = Awaited<ReturnType<typeof fillPages>>['asked'];

const compare = async (what: string, cluster: number, embedded: number): Promise<Row> => ({
  what,
  figure: perSecond(cluster, 1_000),
  peer: `embedded ${perSecond(embedded, 1_000)}`,
  ratio: cluster / embedded,
});

const requests = async (cluster: Asked, embedded: Asked): Promise<Row[]> => {
  const rows: Row[] = [];
  const [ours, theirs] = [await fillPages(cluster), await fillPages(embedded)];
  for (const [what, load, peer] of [
    ['api: GET of an incident', { path: ours.incident, connections: 10 }, { path: theirs.incident, connections: 10 }],
    [
      'api: POST of an incident, 64 connections',
      { ...ours.asked, connections: 64 },
      { ...theirs.asked, connections: 64 },
    ],
  ] as const) {
    const one = await measureLoad({ ...load, url: cluster.address + load.path, key: cluster.key }, SECONDS);
    const other = await measureLoad({ ...peer, url: embedded.address + peer.path, key: embedded.key }, SECONDS);
    rows.push(await compare(what, one, other));
  }
  return [...rows, await oneAfterAnother([cluster, ours.asked], [embedded, theirs.asked])];
};

/** Compares the latency for a single caller. */
const oneAfterAnother = async (cluster: [Asked, Post], embedded: [Asked, Post]): Promise<Row> => {
  const [one, other] = [await waitOf(...cluster), await waitOf(...embedded)];
  return {
    what: 'api: POST of an incident, one connection (ms)',
    figure: `${one.toFixed(1)} ms`,
    peer: `embedded ${other.toFixed(1)} ms`,
    ratio: one / other,
    aim: '≤ 40 ms',
  };
};

/** Returns the median time until the response, in milliseconds. */
const waitOf = async (program: Asked, post: Post): Promise<number> => {
  const waits: number[] = [];
  for (const end = performance.now() + SECONDS * 1_000; performance.now() < end;) {
    const begun = performance.now();
    await callApi(program, post);
    waits.push(performance.now() - begun);
  }
  return median(waits);
};

/** Requests many runs at the same time, and returns how many per second get their results. */
const runs = async (program: Asked, url: string): Promise<number> => {
  const started = performance.now();
  const body = { name: 'Run', type: 'web', url, timeout: 10 };
  const jobs = await Promise.all(
    Array.from(
      { length: RUNS },
      async () => (await callApi(program, { path: '/v1/checks/execute', body })) as { job_id: string },
    ),
  );
  for (const { job_id } of jobs) {
    for (let status = ''; status !== 'completed';) {
      ({ status } = (await callApi(program, { path: `/v1/checks/jobs/${job_id}` })) as { status: string });
      if (status === 'failed') throw new Error(`The job ${job_id} failed.`);
      if (status !== 'completed') await sleep(20);
    }
  }
  return (RUNS / (performance.now() - started)) * 1_000;
};

/** Measures how fast a single read model is built from the log. */
const folding = async (environment: Record<string, string>): Promise<Row> => {
  const config = readConfig(environment);
  if (!isCluster(config)) throw new Error('This is a cluster.');
  const store = createCheckedStore(await openClusterLog(config, 'main'));
  const readStore = await openClusterReadModels(config);
  const coordination = await openClusterCoordination(config);
  const started = performance.now();
  const { events } = await rebuild({
    projection: incidents,
    store,
    readStore,
    coordination,
    clock: Date.now,
    keepEngineOut: async () => async () => undefined,
    signal: new AbortController().signal,
  });
  const milliseconds = performance.now() - started;
  for (const opened of [store, readStore, coordination]) await opened.close();
  return { what: `project: incidents from ${events} events`, figure: perSecond(events, milliseconds) };
};
