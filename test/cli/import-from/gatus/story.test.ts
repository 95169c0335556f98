import { createServer as createTlsServer } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthority, hasOpenssl } from '../../../probes/web/certificates.ts';
import { closeServers, httpServer, listening, rawServer } from '../../../probes/web/servers.ts';
import { answering, zoneOf } from '../../../probes/dns/zone-server.ts';
import { isUp } from '../run-checks.ts';
import { importGatus } from './reading.ts';

const test = suite('checks imported from Gatus');

test.after.each(closeServers);

/** An endpoint, and whether Gatus finds it healthy. */
type Row = readonly [url: string, conditions: readonly string[], healthy: boolean, more?: Record<string, unknown>];

/** Imports the endpoints and compares what their checks find with what Gatus finds. */
const assertAgreement = async (rows: readonly Row[], options: Parameters<typeof isUp>[1] = {}): Promise<void> => {
  const endpoints = rows.map(([url, conditions, , more], index) => ({ name: `e${index}`, url, conditions, ...more }));
  const { configuration } = importGatus(JSON.stringify({ endpoints }));
  assert.is(configuration.checks?.length, rows.length);
  for (const [index, [url, conditions, healthy]] of rows.entries()) {
    const check = configuration.checks?.[index];
    assert.ok(check);
    assert.is(await isUp(check, options), healthy, `${url} ${conditions.join(', ')} ${JSON.stringify(check)}`);
  }
};

const BODY = {
  status: 'UP',
  count: 5,
  ratio: 7,
  nothing: [],
  user: { name: 'john.doe', 'first-name': 'John' },
  items: [
    { id: 1, state: 'up' },
    { id: 2, state: 'up' },
  ],
};

test('checks of http endpoints agree with their conditions', async () => {
  const server = await httpServer((request, response, body) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/missing') response.statusCode = 404;
    if (pathname === '/moved') {
      response.writeHead(302, { location: '/' }).end();
      return;
    }
    response.setHeader('x-kind', 'test server');
    if (pathname === '/text') response.end('all systems are ready');
    else if (pathname === '/list') response.end('[{"id":1},{"id":2}]');
    else if (pathname === '/empty') response.end('[]');
    else if (pathname === '/echo')
      response.end(`${request.method ?? ''} ${String(request.headers['x-token'])} ${body}`);
    else response.end(JSON.stringify(BODY));
  });
  const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
  const ofBody = (condition: string, healthy: boolean): Row => [at('/'), ['[STATUS] == 200', condition], healthy];
  await assertAgreement([
    [at('/'), ['[STATUS] == 200'], true],
    [at('/missing'), ['[STATUS] == 200'], false],
    [at('/missing'), ['[STATUS] == any(200, 404)'], true],
    [at('/missing'), ['[STATUS] < 500'], true],
    [at('/missing'), ['[CONNECTED] == true'], true],
    [at('/moved'), ['[STATUS] == 200'], true],
    [at('/moved'), ['[STATUS] == 302'], true, { client: { 'ignore-redirect': true } }],
    [at('/moved'), ['[STATUS] == 200'], false, { client: { 'ignore-redirect': true } }],
    [at('/'), ['[RESPONSE_TIME] < 20000'], true],
    ofBody('[BODY].status == UP', true),
    ofBody('[BODY].status == DOWN', false),
    ofBody('[BODY].status != DOWN', true),
    ofBody('[BODY].status == any(UP, DEGRADED)', true),
    ofBody('[BODY].status == any(DOWN, DEGRADED)', false),
    ofBody('[BODY].count == 5', true),
    ofBody('[BODY].count == any(4, 5)', true),
    ofBody('[BODY].count > 5', false),
    ofBody('[BODY].count >= 5', true),
    ofBody('[BODY].count <= 4', false),
    ofBody('[BODY].user.first-name == John', true),
    ofBody('[BODY].user.name == pat(*doe*)', true),
    ofBody('[BODY].user.name == pat(*smith*)', false),
    ofBody('[BODY].items[1].id == 2', true),
    ofBody('[BODY].items[*].state == up', true),
    ofBody('[BODY].items[*].id == 1', false),
    ofBody('len([BODY].items) == 2', true),
    ofBody('len([BODY].items) > 2', false),
    ofBody('len([BODY].user.name) > 3', true),
    ofBody('len([BODY].nothing) == 0', true),
    ofBody('has([BODY].user) == true', true),
    ofBody('has([BODY].errors) == false', true),
    ofBody('has([BODY].errors) == true', false),
    [at('/list'), ['[BODY][1].id == 2'], true],
    [at('/list'), ['len([BODY]) == 2'], true],
    [at('/list'), ['len([BODY]) < 2'], false],
    [at('/empty'), ['len([BODY]) == 0'], true],
    [at('/list'), ['len([BODY]) == 0'], false],
    [at('/text'), ['[BODY] == pat(*ready*)'], true],
    [at('/text'), ['[BODY] == pat(*broken*)'], false],
    [at('/text'), ['[BODY] != pat(*broken*)'], true],
    [at('/text'), ['[BODY] != pat(*ready*)'], false],
    [at('/'), ['[HEADER].X-Kind == test server'], true],
    [at('/'), ['[HEADER].X-Kind == pat(*server*)'], true],
    [at('/'), ['has([HEADER].X-Kind) == true'], true],
    [at('/'), ['has([HEADER].X-Other) == true'], false],
    [at('/'), ['has([HEADER].X-Other) == false'], true],
    [
      at('/echo'),
      ['[BODY] == pat(*PUT abc {"query":"{ a }"}*)'],
      true,
      { method: 'PUT', headers: { 'X-Token': 'abc' }, body: '{ a }', graphql: true },
    ],
  ]);
});

test('checks of connections agree with their conditions', async () => {
  const redis = await rawServer((socket) => {
    socket.on('data', () => socket.write('+PONG\r\n'));
  });
  const ssh = await rawServer((socket) => socket.write('SSH-2.0-Test\r\n'));
  const closed = await rawServer(() => undefined);
  await closed.close();
  await assertAgreement([
    [`tcp://127.0.0.1:${redis.port}`, ['[CONNECTED] == true'], true],
    [`tcp://127.0.0.1:${redis.port}`, ['[BODY] == pat(*PONG*)'], true, { body: 'PING\r\n' }],
    [`tcp://127.0.0.1:${closed.port}`, ['[CONNECTED] == true'], false],
    [`ssh://127.0.0.1:${ssh.port}`, ['[CONNECTED] == true'], true],
    [`ws://127.0.0.1:${redis.port}`, ['[CONNECTED] == true'], true],
  ]);
});

test('checks of name servers agree with their conditions', async () => {
  const server = await answering(
    zoneOf('example.com', [
      { type: 'A', name: 'www.example.com', ttl: 60, data: '192.0.2.1' },
      { type: 'NS', name: 'example.com', ttl: 60, data: 'ns1.example.com' },
    ]),
  );
  const dns = (name: string, type: string) => ({ dns: { 'query-name': name, 'query-type': type } });
  await assertAgreement([
    [server.address, ['[DNS_RCODE] == NOERROR'], true, dns('www.example.com.', 'A')],
    [server.address, ['[BODY] == 192.0.2.1'], true, dns('www.example.com', 'A')],
    [server.address, ['[BODY] == 192.0.2.2'], false, dns('www.example.com', 'A')],
    [server.address, ['[BODY] == ns1.example.com.'], true, dns('example.com', 'NS')],
    [server.address, ['[DNS_RCODE] == NOERROR'], false, dns('missing.example.com', 'A')],
  ]);
  await server.close();
});

test('checks of certificates agree with their conditions', async () => {
  if (!hasOpenssl()) {
    console.log('skipped: openssl is not installed');
    return;
  }
  const authority = createAuthority();
  const inDays = (days: number): string =>
    new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  const server = await listening(
    createTlsServer(authority.make('short', { names: 'IP:127.0.0.1', until: inDays(10) }), (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'));
    }),
  );
  const url = `https://127.0.0.1:${server.port}/`;
  await assertAgreement(
    [
      [url, ['[STATUS] == 200', '[CERTIFICATE_EXPIRATION] > 48h'], true],
      [url, ['[STATUS] == 200', '[CERTIFICATE_EXPIRATION] > 720h'], false],
      [`tls://127.0.0.1:${server.port}`, ['[CONNECTED] == true'], true],
      [`tls://127.0.0.1:${server.port}`, ['[CERTIFICATE_EXPIRATION] > 48h'], true],
      [`tls://127.0.0.1:${server.port}`, ['[CERTIFICATE_EXPIRATION] > 720h'], false],
    ],
    { trust: [authority.root] },
  );
  authority.close();
});

test.run();
