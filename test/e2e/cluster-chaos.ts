import * as assert from 'uvu/assert';
import { REGIONS } from '../../domain/check/regions.ts';
import type { Random } from '../contracts/random.ts';
import { httpServer } from '../probes/web/servers.ts';
import { freePort } from '../servers/ports.ts';
import { openProxy } from '../servers/proxy.ts';
import { startClusterServers } from './cluster-servers.ts';
import { assertOnceInMain, assertOnceInResults } from './evidence.ts';
import { startOne, uptrail, type RunningProgram } from './program.ts';
import { eventually, realPause } from '../waiting.ts';

export interface ClusterChaosOptions {
  /** the folder in which the EventStoreDB stores its events */
  folder: string;
  /** for how many seconds processes and servers are killed */
  seconds: number;
  /** chooses what is killed, and when */
  random: Random;
  say?: (line: string) => void;
}

export interface ClusterTally {
  kills: Record<string, number>;
  incidents: number;
  jobs: number;
  results: number;
  /** how many changes of a check's status were recorded */
  verdicts: number;
  /** how many requests were sent again */
  repeated: number;
}

const KEY = 'chaos-admin-key-000000';
const RUN = ['run', '--region', ...REGIONS.slice(0, 2).map(({ aliases }) => aliases[0])];
/** Two processes of each duty, so that one can take over from the other. */
const PROCESSES: readonly (readonly [string, readonly string[]])[] = [
  ['api', ['api']],
  ['api', ['api']],
  ['project', ['project']],
  ['project', ['project']],
  ['schedule', ['schedule']],
  ['schedule', ['schedule']],
  ['run', RUN],
  ['run', RUN],
];
const WRITERS = 4;
/**
 * How long a client retries a request, in milliseconds. Within this time, an unfinished idempotency claim and the lease
 * of a dead process expire.
 */
const PATIENCE_MS = 90_000;
const PAGE_SIZE = 100;
/** Time in milliseconds for which the target of the checks works, and then fails, alternately. */
const DOWN_MS = 1_500;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

interface Listed {
  id: string;
  execution_id: string | null;
  region: string;
}

/** Reads every page of the list of results. Reads again if a scheduled run has added a result in between. */
const everyResult = (read: (path: string) => Promise<Answer>): Promise<Listed[]> =>
  eventually(
    async () => {
      const results: Listed[] = [];
      const totals = new Set<unknown>();
      for (let found = PAGE_SIZE, number = 1; found === PAGE_SIZE; number++) {
        const { body } = await read(`/v1/checks/all-results?page=${number}&page_size=${PAGE_SIZE}`);
        const page = body['results'] as Listed[];
        totals.add((body['pagination'] as { total_items: number }).total_items);
        results.push(...page);
        found = page.length;
      }
      return totals.size === 1 && results;
    },
    { within: PATIENCE_MS, what: 'a list that does not grow while it is read' },
  );

/**
 * Runs a cluster of two processes per duty under load. Kills random processes with `kill -9`, kills the EventStoreDB if
 * it belongs to this test, and breaks connections to MongoDB. At the end, asserts that no acknowledged write was lost,
 * nothing was done twice, and every read model equals its rebuild.
 */
export const clusterChaos = async ({
  folder,
  seconds,
  random,
  say = () => undefined,
}: ClusterChaosOptions): Promise<ClusterTally> => {
  const servers = await startClusterServers(folder);
  const { own } = servers.eventStoreDb;
  const proxy = await openProxy({ host: servers.mongoDb.host, port: servers.mongoDb.port });
  // The target alternates, so checks constantly go down and recover.
  const target = await httpServer((_request, response) => {
    response.statusCode = Math.floor(Date.now() / DOWN_MS) % 2 === 0 ? 200 : 500;
    setTimeout(() => response.end('That is how it is.'), random.below(200));
  });
  const environment = { ...servers.environment, MONGODB_URL: servers.database.through(proxy), ADMIN_API_KEY: KEY };
  const kills: Record<string, number> = {};
  let repeated = 0;

  const starting = PROCESSES.map(async ([name, parameters], index) => {
    const port = (await freePort()).toString();
    const start = (): Promise<RunningProgram> =>
      startOne(parameters, { ...environment, PORT: port, LOG_LEVEL: 'fatal' });
    // The processes that start first create the logs.
    await realPause(index * 50, 'the first processes create the logs, the others find them');
    return { name, start, program: await start() };
  });
  const processes = await Promise.all(starting);
  const apis = processes.filter(({ name }) => name === 'api');

  /** Sends a request to either API process, and retries until one responds. */
  const ask = async (method: string, path: string, body: object | null, key: string | null): Promise<Answer> => {
    const until = Date.now() + PATIENCE_MS;
    for (let tries = 0; ; tries++) {
      const api = apis[(tries + random.below(2)) % apis.length];
      let seen = 'no answer';
      try {
        const response = await fetch(`${api?.program.address ?? ''}${path}`, {
          method,
          headers: {
            authorization: KEY,
            ...(body && { 'content-type': 'application/json' }),
            ...(key !== null && { 'idempotency-key': key }),
          },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(15_000),
        });
        const text = await response.text();
        seen = `${response.status} ${text}`;
        // 409: a process may still be handling the first attempt, or may have died while handling it.
        if (response.status < 500 && response.status !== 409) {
          return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
        }
      } catch (error) {
        seen = String(error);
      }
      repeated += 1;
      if (Date.now() > until) throw new Error(`${method} ${path} got no response: ${seen}`);
      await realPause(200 + random.below(300), 'a patient client waits before it repeats itself');
    }
  };
  const read = (path: string): Promise<Answer> => ask('GET', path, null, null);
  /** @returns the id of the created resource */
  const create = async (path: string, body: object, key: string): Promise<string> => {
    const { status, body: answer } = await ask('POST', path, body, key);
    assert.ok([200, 201, 202].includes(status), `${path}: ${status} ${JSON.stringify(answer)}`);
    return String(answer['id'] ?? answer['job_id']);
  };

  try {
    const page = await create('/v1/pages', { name: 'Chaos' }, 'page');
    const organization = String((await read(`/v1/pages/${page}`)).body['organization_id']);
    const component = await create(`/v1/pages/${page}/components`, { name: 'API' }, 'component');
    const incidents = `/v1/pages/${page}/incidents`;
    const url = `http://127.0.0.1:${target.port}/`;
    const regions = REGIONS.slice(0, 2).map(({ id }) => id);
    const checks = await Promise.all(
      ['one', 'two', 'both'].map((name) => {
        const parameters = {
          regions,
          ...(name === 'both' && { multi_region_execution: { enabled: true, execution_mode: 'all' } }),
        };
        return create('/v1/checks', { name, type: 'web', interval: 30, timeout: 5, url, parameters }, `check ${name}`);
      }),
    );

    let killing = true;
    const opened = new Map<string, string>();
    const jobs: string[] = [];
    const write = async (writer: number): Promise<void> => {
      for (let number = 0; killing; number++) {
        const name = `Incident ${writer}.${number}`;
        const body = { name, status: 'investigating', body: 'Opened.', components: { [component]: 'partial_outage' } };
        opened.set(name, await create(incidents, body, name));
        const check = checks[random.below(checks.length)] ?? '';
        jobs.push(await create(`/v1/checks/${check}/execute`, {}, `job ${writer}.${number}`));
        await realPause(random.below(200), 'clients write now and then');
      }
    };

    const count = (name: string): void => {
      kills[name] = (kills[name] ?? 0) + 1;
      say(`${name} killed (${opened.size} incidents, ${jobs.length} jobs)`);
    };
    const faults: readonly (() => Promise<void>)[] = [
      ...processes.map((one) => async () => {
        await one.program.end('SIGKILL');
        count(one.name);
        await realPause(random.below(1_500), 'faults last for any time');
        one.program = await one.start();
      }),
      ...(own
        ? [
            async () => {
              await own.end('SIGKILL');
              count('EventStoreDB');
              await realPause(random.below(1_500), 'faults last for any time');
              await own.again();
            },
          ]
        : []),
      ...[proxy.refuse, proxy.freeze, proxy.loseResponses].map((fault) => async () => {
        fault();
        count('MongoDB');
        await realPause(random.below(1_500), 'faults last for any time');
        // Responses that were held back are lost, although MongoDB may have applied the writes.
        if (fault === proxy.loseResponses) proxy.drop();
        proxy.restore();
      }),
    ];

    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    const written = Promise.all(writers);
    const until = Date.now() + seconds * 1_000;
    while (Date.now() < until) {
      await Promise.race([written, realPause(500 + random.below(2_000), 'faults come at any moment')]);
      await faults[random.below(faults.length)]?.();
    }
    killing = false;
    await written;

    let stored: { id: string; name: string }[] = [];
    // After a process is killed, its read models lag for a while. So they may not contain the final writes yet.
    await eventually(
      async () => {
        stored = (await read(incidents)).body as unknown as typeof stored;
        return stored.length >= opened.size;
      },
      { within: PATIENCE_MS, what: 'every incident is there' },
    );
    assert.equal(stored.map(({ id, name }) => [name, id]).sort(), [...opened].sort(), 'every incident is there, once');

    for (const job of jobs) {
      const ended = await eventually(
        async () => {
          const { body } = await read(`/v1/checks/jobs/${job}`);
          assert.ok(['completed', 'failed'].includes(String(body['status'])), JSON.stringify(body));
          return body;
        },
        { within: PATIENCE_MS, what: `the job ${job} has ended` },
      );
      if (ended['status'] === 'failed') assert.ok(ended['error_message'], 'a failed job says why');
    }
    const results = await everyResult(read);
    assert.is(new Set(results.map(({ id }) => id)).size, results.length, 'no result is listed twice');
    const ofJobs = results.filter(({ execution_id }) => execution_id !== null);
    const runs = ofJobs.map(({ execution_id, region }) => `${execution_id ?? ''} ${region}`);
    assert.is(new Set(runs).size, runs.length, 'no job ran twice in a region');

    const { body: balance } = await read(`/v1/organizations/${organization}`);
    const { used } = balance['credits'] as { used: number };
    const ended = await Promise.all(processes.map(({ program }) => program.end('SIGTERM')));
    for (const { code, stderr } of ended) assert.is(code, 0, stderr);
    const main = await uptrail(environment, 'replay', '--log', 'main');
    const verdicts = assertOnceInMain(main.stdout);
    const log = await uptrail(environment, 'replay', '--log', 'results', '--raw');
    const evidence = assertOnceInResults(log.stdout);
    for (const { id } of results) assert.ok(evidence.results.has(id), `${id} is in the log`);
    assert.ok(evidence.credits >= used, `${evidence.credits} credits in the log, ${used} were charged`);
    const verified = await uptrail(environment, 'rebuild', '--all', '--verify');
    assert.is(verified.code, 0, verified.stdout + verified.stderr);
    return { kills, incidents: opened.size, jobs: jobs.length, results: results.length, verdicts, repeated };
  } finally {
    for (const { program } of processes) await program.end('SIGKILL');
    await target.close();
    await proxy.close();
    await servers.stop();
  }
};
