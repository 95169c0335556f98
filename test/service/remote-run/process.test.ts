import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROGRAM, uptrail } from '../../e2e/program.ts';
import { PROJECT } from '../../project.ts';
import { startFakeService, type FakeService } from '../../runners/remote/fake-service.ts';
import { freePort } from '../../servers/ports.ts';
import { eventually } from '../../waiting.ts';
import { inTemporaryFolder } from '../temporary.ts';

const test = suite('uptrail run --server');

const TOKEN = `upr_${'a'.repeat(43)}`;

const running = new Set<ChildProcess>();
test.after.each(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a remote runner for a service. */
const start = (
  { url }: Pick<FakeService, 'url'>,
  folder: string,
  { environment = {}, node = [] }: { environment?: Record<string, string>; node?: string[] } = {},
) => {
  const child = spawn(process.execPath, [...node, ...PROGRAM, 'run', '--server', url.href], {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'], UPTRAIL_RUNNER_TOKEN: TOKEN, DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    pid: child.pid ?? 0,
    said,
    end: async (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal);
      return ended;
    },
  };
};

/** Starts a target on the loopback address that counts its requests. */
const startTarget = async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end('here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    asked: () => asked,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const checkOf = (url: string) => ({
  type: 'web',
  url,
  host: null,
  port: null,
  timeout: 10,
  parameters: {},
  secrets: {},
});

const withService = (body: (service: FakeService, folder: string) => Promise<void>) =>
  inTemporaryFolder(async (folder) => {
    const service = await startFakeService();
    try {
      await body(service, folder);
    } finally {
      await service.stop();
    }
  });

test(
  'uptrail run --server executes runs in a child process, and ends its connection when it is stopped',
  withService(async (service, folder) => {
    const target = await startTarget();
    const runner = start(service, folder);
    await eventually(service.isStreaming);
    assert.equal(
      service.hellos()[0]?.lacking.every(({ reason }) => reason.endsWith('.')),
      true,
    );
    service.hand({ check: checkOf(target.url), fresh: true });
    const [result] = await eventually(() => service.results().length === 1 && service.results());
    assert.ok(result && 'outcome' in result);
    assert.is(result.outcome.status, 'ok');
    assert.is(await runner.end('SIGTERM'), 0);
    assert.is(service.of('leave').length, 1);
    assert.not.match(runner.said.text, TOKEN);
    await target.close();
  }),
);

test(
  'uptrail run --server prevents checks from reaching the service itself',
  withService(async (service, folder) => {
    const runner = start(service, folder);
    await eventually(service.isStreaming);
    service.hand({ check: checkOf(`http://localhost:${service.port}/`), fresh: true });
    const [result] = await eventually(() => service.results().length === 1 && service.results());
    assert.ok(result && 'outcome' in result);
    assert.is(result.outcome.reason, 'target');
    assert.match(result.outcome.error_message ?? '', 'reserved');
    assert.is(await runner.end('SIGTERM'), 0);
  }),
);

test(
  'uptrail run --server delivers the spooled results of a runner that was killed while the service was down',
  withService(async (service, folder) => {
    const spool = join(folder, 'runner-spool');
    const runner = start(service, folder);
    await eventually(service.isStreaming);
    await runner.end('SIGKILL');
    const outcome = { status: 'ok', reason: null, response_time: 1, error_message: null, check_metadata: {} };
    const item = { ticket: 'ticket of d1', slot: 1_000, ended_at: 2_000, outcome };
    const line = JSON.stringify({ list: 'offline', ended_at: 2_000, item });
    writeFileSync(join(spool, '000000000007.jsonl'), `${line}\n${line.slice(0, 40)}`);
    const next = start(service, folder);
    const [result] = await eventually(() => service.offline().length > 0 && service.offline());
    assert.equal(result, item);
    await eventually(() => readdirSync(spool).every((name) => name === 'lock'));
    assert.is(await next.end('SIGTERM'), 0);
    assert.equal(readdirSync(spool), []);
  }),
);

for (const [status, message] of [
  [401, 'This token was revoked.'],
  [409, 'This token is for another region.'],
  [426, 'This runner is too old. Install release 3 or later.'],
] as const) {
  test(
    `uptrail run --server ends with 1 and the message of the service when it responds with ${status}`,
    withService(async (service, folder) => {
      service.answerInstead('sessions', { status, message });
      const { code, stderr } = await uptrail(
        { UPTRAIL_RUNNER_TOKEN: TOKEN, DATA_DIR: folder },
        ...['run', '--server', service.url.href],
      );
      assert.is(code, 1);
      assert.match(stderr, message);
      assert.not.match(stderr, ' at ');
    }),
  );
}

test(
  'uptrail run --server warns that other users can see --token, and serves its health if PORT is set',
  withService(async (service, folder) => {
    const port = (await freePort()).toString();
    const runner = start(service, folder, { environment: { PORT: port } });
    await eventually(service.isStreaming);
    const ready = await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
      return answer.ok && answer;
    });
    const { status, parts } = (await ready.json()) as { status: string; parts: { name: string; state: string }[] };
    assert.is(status, 'ready');
    assert.is(parts.find(({ name }) => name === 'service')?.state, 'connected');
    assert.is((await fetch(`http://127.0.0.1:${port}/v1/pages`)).status, 404);
    assert.is(await runner.end('SIGTERM'), 0);
    service.answerInstead('sessions', { status: 401, message: 'No.' });
    const { stderr } = await uptrail({ DATA_DIR: folder }, 'run', '--server', service.url.href, '--token', TOKEN);
    assert.match(stderr, '--token is visible to every user');
  }),
);

/** Packages that an idle runner must not load. */
const HEAVY = [
  'express',
  'mongodb',
  'better-sqlite3',
  '@photostructure/sqlite',
  '@eventstore/db-client',
  'prom-client',
];

test(
  'uptrail run --server loads no store and no web framework, and needs little memory while idle',
  withService(async (service, folder) => {
    const list = join(folder, 'loaded');
    const hook = join(folder, 'hook.mjs');
    const loader = `import { appendFileSync } from 'node:fs';
      export const load = (url, context, next) => { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); };`;
    writeFileSync(
      hook,
      `import { register } from 'node:module'; register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(loader))}, import.meta.url);`,
    );
    const traced = start(service, folder, { node: ['--import', pathToFileURL(hook).href] });
    await eventually(service.isStreaming);
    assert.is(await traced.end('SIGTERM'), 0);
    const loaded = readFileSync(list, 'utf8');
    assert.match(loaded, '/node_modules/undici/');
    for (const name of HEAVY) assert.not.match(loaded, `/node_modules/${name}/`);
    const idle = start(service, folder);
    await eventually(service.isStreaming);
    const status = readFileSync(`/proc/${idle.pid}/status`, 'utf8');
    // The memory is measured before the first garbage collection. A minute later, the runner uses a sixth less memory.
    assert.ok(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) < 130 * 1_024, status);
    const children = readFileSync(`/proc/${idle.pid}/task/${idle.pid}/children`, 'utf8');
    assert.is(children.trim(), '');
    assert.is(await idle.end('SIGTERM'), 0);
  }),
);

test.run();
