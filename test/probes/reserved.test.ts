import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WebParameters } from '../../domain/check/types/web.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { RUNS } from '../../probes/index.ts';
import type { RunnableCheck } from '../../probes/engine/check-type.ts';
import { findAvailableTypes } from '../../probes/tools.ts';
import { contextOf, verdictOf } from './run-context.ts';
import { closeServers, httpServer, rawServer } from './web/servers.ts';

const keeping = suite('servers of the service itself');

keeping.after.each(closeServers);

/** For each check type, a check that would connect to a port of this machine; null if another test covers the type. */
const WAYS: Record<string, ((port: number) => Partial<RunnableCheck>) | null> = {
  web: (port) => ({ url: `http://127.0.0.1:${port}/` }),
  api: (port) => ({ url: `https://localhost:${port}/` }),
  tcp: (port) => ({ host: 'name.test', port }),
  ssl: (port) => ({ host: '127.0.0.1', port, parameters: { starttls: 'smtp' } }),
  dns: (port) => ({ host: 'example.test', parameters: { dns_servers: [`127.0.0.1:${port}`] } }),
  icmp: null,
  // Scripts use a proxy with the same policy (test/probes/script/proxy/policy.test.ts).
  multistep: null,
  synthetic: null,
  portscan: (port) => ({ host: '127.0.0.1', parameters: { ports: port.toString(), scan_type: 'connect' } }),
};

const HOSTS = { 'name.test': ['127.0.0.1'], localhost: ['127.0.0.1', '::1'] };

/** Why a port is reserved. */
type Kind = 'reserved' | 'listeners';

const run = async (
  type: CheckTypeName,
  check: Partial<RunnableCheck>,
  reserved: number | null,
  kind: Kind = 'reserved',
) => {
  const run = RUNS.get(type);
  if (!run) throw new Error(`Nothing runs ${type}.`);
  const rules = {
    policy: 'internal',
    allow: '127.0.0.0/8,::1',
    ...(reserved !== null && { [kind]: [{ address: '127.0.0.1', port: reserved }] }),
  } as const;
  const whole = { type, url: null, host: null, port: null, timeout: 5, parameters: {}, secrets: {}, ...check };
  return run(whole, contextOf({ hosts: HOSTS, rules }));
};

const { unavailable } = await findAvailableTypes([...RUNS.keys()]);

for (const type of RUNS.keys()) {
  const way = WAYS[type];
  if (way === null) continue;
  const missing = unavailable.find((one) => one.type === type);
  if (missing) {
    console.log(`skipped: ${type} can not be run here`);
    continue;
  }
  keeping(
    `checks of type ${type} never connect to servers of the service itself, whatever the policy allows`,
    async () => {
      if (!way) throw new Error(`This test does not define how a check of type ${type} connects.`);
      let connections = 0;
      const server = await rawServer((socket) => {
        connections += 1;
        socket.end();
      });
      for (const kind of ['reserved', 'listeners'] as const) {
        const outcome = await run(type, way(server.port), server.port, kind);
        assert.is(outcome.status, 'failed');
        assert.is(outcome.reason, 'target');
        assert.match(outcome.error_message ?? '', /127\.0\.0\.1:\d+ \(reserved for this service\)/);
        assert.is(connections, 0);
      }
      // Without the reservation, the same check connects to the server.
      if (type !== 'dns') await run(type, way(server.port), null);
      if (type !== 'dns') assert.ok(connections > 0);
    },
  );
}

keeping('servers of the service itself can’t be reached by a redirect', async () => {
  let requested = 0;
  const reserved = await httpServer((_, response) => {
    requested += 1;
    response.end('secret');
  });
  const open = await httpServer((_, response) => {
    response.writeHead(302, { Location: `http://localhost:${reserved.port}/` }).end();
  });
  const outcome = await run('web', { url: `http://127.0.0.1:${open.port}/` }, reserved.port);
  assert.equal(verdictOf(outcome), {
    status: 'failed',
    reason: 'target',
    error_message: `The target policy does not allow localhost at 127.0.0.1:${reserved.port} (reserved for this service).`,
  });
  assert.is(requested, 0);
});

/**
 * Requests that a check could send to the service itself: description, path, request parameters, and whether they are
 * allowed.
 */
const REQUESTS: readonly [string, string, WebParameters['http_request'], boolean][] = [
  ['a GET', '/health/live', {}, true],
  ['a GET of the other', '/health/ready', {}, true],
  ['a HEAD', '/health/live', { method: 'HEAD' }, true],
  ['a POST', '/health/live', { method: 'POST' }, false],
  ['a body', '/health/live', { body: 'x' }, false],
  ['a forged address', '/health/live', { headers: { 'X-Forwarded-For': '192.0.2.1' } }, false],
  ['any header', '/health/live', { headers: { 'User-Agent': 'mine' } }, false],
  ['a password', '/health/live', { username: 'ida', password: 'secret' }, false],
  ['a query', '/health/live?a=b', {}, false],
  ['another path', '/health/live/../../v1/pages', {}, false],
  ['an escaped path', '/health%2flive', {}, false],
  ['the interface', '/v1/pages', {}, false],
  ['the metrics', '/metrics', {}, false],
];

for (const type of ['web', 'api'] as const)
  keeping(`checks of type ${type} may request the health of the service itself, but nothing else`, async () => {
    const requested: string[] = [];
    const service = await httpServer((request, response) => {
      requested.push(request.url ?? '');
      response.end();
    });
    for (const [what, path, http_request, allowed] of REQUESTS) {
      const url = `http://127.0.0.1:${service.port}${path}`;
      const outcome = await run(type, { url, parameters: { http_request } }, service.port, 'listeners');
      assert.is(outcome.reason, allowed ? null : 'target', what);
    }
    assert.equal(requested, ['/health/live', '/health/ready', '/health/live']);
    const url = `http://127.0.0.1:${service.port}/health/live`;
    assert.is((await run(type, { url }, service.port, 'reserved')).reason, 'target');
  });

keeping('health endpoints receive neither headers nor cookies of a redirected request', async () => {
  let requested = 0;
  const service = await httpServer((_, response) => {
    requested += 1;
    response.end();
  });
  const to = `http://127.0.0.1:${service.port}/health/live`;
  const open = await httpServer((request, response) => {
    const cookie = request.url === '/cookie' ? { 'Set-Cookie': 'a=b; Path=/' } : {};
    response.writeHead(302, { Location: to, ...cookie }).end();
  });
  const from = (path: string) => `http://127.0.0.1:${open.port}${path}`;
  const headers = { 'Accept-Language': 'de' };
  for (const [url, http_request] of [
    [from('/'), { headers }],
    [from('/cookie'), {}],
  ] as const)
    assert.is((await run('web', { url, parameters: { http_request } }, service.port, 'listeners')).reason, 'target');
  assert.is(requested, 0);
  assert.is((await run('web', { url: from('/') }, service.port, 'listeners')).status, 'ok');
});

const canScan = !unavailable.some(({ type }) => type === 'portscan');
if (canScan) {
  keeping('a portscan excludes the reserved ports of a larger range, and reports this', async () => {
    const [reserved, open] = [await rawServer((socket) => socket.end()), await rawServer((socket) => socket.end())];
    let connections = 0;
    const [low, high] = [reserved.port, open.port].sort((one, other) => one - other);
    const counting = setInterval(() => (connections = Math.max(connections, reserved.open())), 1);
    const ports = `${low ?? 0},${high ?? 0}`;
    const parameters = { ports, scan_type: 'connect', service_detection: false };
    const outcome = await run('portscan', { host: '127.0.0.1', parameters }, reserved.port);
    clearInterval(counting);
    assert.is(outcome.status, 'ok');
    assert.is(connections, 0);
    const metadata = outcome.check_metadata as { scan_results: { open_ports: { port: number }[] }[]; notes: string[] };
    assert.equal(
      metadata.scan_results[0]?.open_ports.map(({ port }) => port),
      [open.port],
    );
    const sentence = `Port ${reserved.port} of 127.0.0.1 is left out: reserved for this service.`;
    assert.ok(metadata.notes.includes(sentence), metadata.notes.join('\n'));
  });

  keeping('a portscan can’t expect reserved ports to be open', async () => {
    const reserved = await rawServer((socket) => socket.end());
    const parameters = { ports: '1-10', scan_type: 'connect', assertions: { expected_open_ports: [reserved.port] } };
    const outcome = await run('portscan', { host: '127.0.0.1', parameters }, reserved.port);
    assert.equal([outcome.status, outcome.reason], ['failed', 'target']);
  });
} else console.log('skipped: portscan can not be run here');

keeping.run();
