import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REAL_MONGODB_URL } from '../../servers/mongodb/server.ts';
import { skippedWithoutCluster, startClusterServers, type ClusterServers } from '../cluster-servers.ts';
import { endPrograms, startOne, uptrail, type RunningProgram } from '../program.ts';
import { eventually, realPause } from '../../waiting.ts';

const KEY = 'the-admin-key-of-this-test';
/**
 * How long a server is frozen (`FROZEN`), and the time limit for the recovery (`BACK`: ten seconds, doubled for a busy
 * machine), both in seconds.
 */
const FROZEN = Number(process.env['FROZEN_SECONDS'] ?? 15);
const BACK = 20;
/** Time limit for every response, in milliseconds. */
const ANSWERED = 10_000;
/** Time limit for an immediate refusal on a slow machine, in milliseconds. */
const AT_ONCE = 5_000;
/** Time limit until a process logs the end of an outage, in milliseconds. */
const LOGGED_WITHIN = 40_000;

const test = suite('a cluster with a frozen server');
test.after.each(endPrograms);

interface Answer {
  status: number;
  body: Record<string, unknown>;
  retryAfter: string | null;
  milliseconds: number;
}

interface Cluster {
  servers: ClusterServers;
  /** the processes, by duty */
  programs: ReadonlyMap<string, RunningProgram>;
  ask: (method: string, path: string, body?: object, key?: string) => Promise<Answer>;
  /** path of an existing page */
  page: string;
  incident: string;
}

const cluster = (body: (cluster: Cluster) => Promise<void>) => async () => {
  const servers = await startClusterServers();
  try {
    const environment = { ...servers.environment, ADMIN_API_KEY: KEY };
    const programs = new Map<string, RunningProgram>();
    for (const duty of [['api'], ['project'], ['schedule'], ['run', '--region', 'eu-west1']]) {
      programs.set(duty[0] ?? '', await startOne(duty, environment));
    }
    const { address } = programs.get('api') as RunningProgram;
    const ask: Cluster['ask'] = async (method, path, sent, key) => {
      const began = performance.now();
      const response = await fetch(address + path, {
        method,
        headers: {
          authorization: KEY,
          ...(sent && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(sent && { body: JSON.stringify(sent) }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      const milliseconds = performance.now() - began;
      const body = /^\{/.test(text) ? (JSON.parse(text) as Record<string, unknown>) : {};
      return { status: response.status, body, retryAfter: response.headers.get('retry-after'), milliseconds };
    };
    await eventually(async () => (await ask('GET', '/health/ready')).status === 200, { within: 60_000 });
    const page = await madeBy(ask, '/v1/pages', { name: 'Frozen' });
    const incident = await madeBy(ask, `/v1/pages/${page}/incidents`, INCIDENT);
    await body({ servers, programs, ask, page, incident });
    for (const program of programs.values()) assert.is((await program.end('SIGTERM')).code, 0);
  } finally {
    await endPrograms();
    servers.eventStoreDb.own?.thaw();
    await servers.stop();
  }
};

const INCIDENT = { name: 'Slow', status: 'investigating', body: 'We look into it.', components: {} };

const madeBy = async (ask: Cluster['ask'], path: string, sent: object): Promise<string> => {
  const { status, body } = await ask('POST', path, sent);
  assert.ok(status < 300, JSON.stringify(body));
  return String(body['id']);
};

/** Sends every kind of request to the cluster. */
const every = ({ ask, page, incident }: Cluster): Promise<Answer>[] => {
  const own = `/v1/pages/${page}/incidents/${incident}`;
  return [
    ask('POST', `/v1/pages/${page}/incidents`, INCIDENT, randomUUID()),
    ask('POST', `/v1/pages/${page}/incidents`, INCIDENT),
    ask('PUT', own, { name: 'Slower' }),
    ask('PATCH', own, { name: 'Slower' }),
    ask('GET', own),
    ask('GET', `/v1/pages/${page}`),
    ask('GET', '/v1/checks'),
    ask('DELETE', `/v1/pages/${page}/components/abcdefghijkl`),
    ask('GET', '/health/ready'),
    ask('GET', '/health/live'),
    ask('GET', '/metrics'),
  ];
};

const lasted = (responses: readonly Answer[]): number => Math.max(...responses.map(({ milliseconds }) => milliseconds));

/**
 * Returns the messages that a process logged, without those about single requests. Messages about single requests are
 * recognized by the request id.
 */
const linesOf = (program: RunningProgram): string[] =>
  program.output.stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
    .filter((line) => !/^(a request failed|requests fail because)/.test(line));

const counting =
  (sentence: RegExp) =>
  (lines: readonly string[]): number =>
    lines.filter((line) => sentence.test(line)).length;
const begins = counting(/Retrying;|It is tried again/);
const ends = counting(/works? again/);

for (const name of ['EventStoreDB', 'MongoDB'] as const) {
  test(
    `a cluster responds to every request within ten seconds, responds immediately while ${name} is known to be frozen, and recovers in time`,
    cluster(async (cluster) => {
      const { servers, ask, page, programs } = cluster;
      const server = name === 'EventStoreDB' ? servers.eventStoreDb.own : servers.mongoDb;
      assert.ok(server);
      const incidents = `/v1/pages/${page}/incidents`;
      const key = randomUUID();
      server.freeze();
      const frozen = performance.now();
      try {
        const first = await Promise.all(every(cluster));
        assert.ok(lasted(first) < ANSWERED, `a response took ${lasted(first)} ms`);
        assert.is(first[0]?.status, 503, JSON.stringify(first[0]));

        await eventually(async () => (await ask('GET', '/health/ready')).status !== 200, { within: 60_000 });
        while (performance.now() - frozen < FROZEN * 1_000) {
          const [post, ...others] = await Promise.all([ask('POST', incidents, INCIDENT, key), ...every(cluster)]);
          assert.equal([post.status, post.retryAfter], [503, '2'], JSON.stringify(post));
          assert.ok(lasted([post, ...others]) < AT_ONCE, `a refusal took ${lasted([post, ...others])} ms`);
          await realPause(1_000, 'clients send requests now and then while the server is frozen');
        }
      } finally {
        server.thaw();
      }
      const thawed = performance.now();
      const seen: string[] = [];
      for (let status = 0; status !== 201;) {
        const answer = await ask('POST', incidents, INCIDENT, key);
        status = answer.status;
        const seconds = (performance.now() - thawed) / 1_000;
        seen.push(`${status} after ${seconds.toFixed(1)} s`);
        assert.ok(seconds < BACK, seen.join(', '));
        await realPause(200, 'a client waits before it repeats itself');
        if (status === 202) {
          const own = randomUUID();
          status = (await ask('POST', incidents, INCIDENT, own)).status;
        }
      }
      for (const [duty, program] of programs) {
        // Each report of an outage is followed by a report of its end.
        const isOver = (lines: readonly string[]): boolean => begins(lines) === ends(lines);
        await eventually(
          () => {
            assert.ok(isOver(linesOf(program)), linesOf(program).join('\n'));
            return true;
          },
          { within: LOGGED_WITHIN, what: `${duty} reports the end of the trouble` },
        );
        const lines = linesOf(program);
        assert.ok(begins(lines) <= 1, `${duty}: ${lines.join('\n')}`);
        assert.equal([...new Set(lines)].length, lines.length, `${duty}: ${lines.join('\n')}`);
        if (name === 'MongoDB' && duty !== 'run') assert.is(begins(lines), 1, duty);
      }
    }),
  );
}

test('a process that is started while a server is frozen exits and names the reason', async () => {
  const servers = await startClusterServers();
  const { own } = servers.eventStoreDb;
  try {
    assert.ok(own);
    own.freeze();
    const { code, stderr } = await uptrail({ ...servers.environment, ADMIN_API_KEY: KEY }, 'api');
    assert.is(code, 1);
    assert.match(stderr, /EventStoreDB is not available/);
  } finally {
    own?.thaw();
    await servers.stop();
  }
});

if (REAL_MONGODB_URL !== null || !skippedWithoutCluster()) test.run();
