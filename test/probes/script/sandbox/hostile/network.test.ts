import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { answerOf, returned, run, sandboxesOf, suiteOfSandboxes } from '../open-sandboxes.ts';

const suited = await suiteOfSandboxes('a script in a sandbox');
const { tests, test } = suited;
const sandboxes = await sandboxesOf(suited, { kinds: { multistep: { warm: 0, most: 2 } } });

let connections = 0;
const servers: Server[] = [];
const listening = async (at: string | { host: string; port: number }): Promise<Server> => {
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(at);
  await once(server, 'listening');
  servers.push(server);
  return server;
};
tests.after(() => {
  for (const server of servers) server.close();
});

/** Returns what a script gets when it connects to each of these addresses. */
const connected = async (places: readonly object[]): Promise<unknown> =>
  returned(
    await run(
      sandboxes,
      `const { connect } = require('node:net');
       const codes = [];
       for (const place of ${JSON.stringify(places)})
         codes.push(await new Promise((resolve) => {
           const socket = connect(place, () => resolve('connected'));
           socket.on('error', (error) => resolve(error.code));
         }));
       return codes;`,
    ),
  );

test('a script can’t reach the loopback of this machine, where databases and the service listen', async () => {
  const port = async (host: string): Promise<number> =>
    ((await listening({ host, port: 0 })).address() as { port: number }).port;
  const places = [
    { host: '127.0.0.1', port: await port('127.0.0.1') },
    { host: '::1', port: await port('::1') },
  ];
  assert.equal(await connected(places), ['ECONNREFUSED', 'ECONNREFUSED']);
  assert.is(connections, 0);
});

test("a script can't reach abstract sockets of this machine", async () => {
  const name = `\0uptrail-test-${process.pid}`;
  await listening(name);
  assert.equal(await connected([{ path: name }]), ['ECONNREFUSED']);
  assert.is(connections, 0);
});

test("a script can't reach socket files of the service or the desktop", async () => {
  const path = join(tmpdir(), `uptrail-test-${process.pid}.sock`);
  await listening(path);
  const places = [
    path,
    '/run/dbus/system_bus_socket',
    '/tmp/.X11-unix/X0',
    '/run/systemd/private',
    '/var/run/docker.sock',
  ];
  assert.equal(
    await connected(places.map((file) => ({ path: file }))),
    places.map(() => 'ENOENT'),
  );
  assert.is(connections, 0);
  rmSync(path, { force: true });
});

test('a script has no network but loopback, and no route', async () => {
  const value = returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       const lines = (file) => fs.readFileSync(file, 'utf8').trim().split('\\n');
       return [
         lines('/proc/net/dev').slice(2).map((line) => line.trim().split(':')[0]),
         lines('/proc/net/route').length - 1,
         lines('/proc/net/ipv6_route').filter((line) => !line.endsWith(' lo')).length,
         lines('/proc/net/unix').slice(1).filter((line) => line.trim().split(/\\s+/).length > 7).length,
       ];`,
    ),
  );
  assert.equal(value, [['lo'], 0, 0, 0]);
});

test('a script can’t reach another run, or the proxy of another run', async () => {
  const [one, other] = await Promise.all([
    sandboxes.take('multistep', AbortSignal.timeout(60_000)),
    sandboxes.take('multistep', AbortSignal.timeout(60_000)),
  ]);
  try {
    const port = returned(
      await answerOf(
        one,
        `const server = require('node:net').createServer();
         await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
         require('node:net').createServer().listen('\\0other');
         return server.address().port;`,
      ),
    );
    const tried = await answerOf(
      other,
      `const { connect } = require('node:net');
       const codes = [];
       for (const place of [{ host: '127.0.0.1', port: ${String(port)} }, { path: '\\0other' }, { path: ${JSON.stringify(one.proxy.path)} }])
         codes.push(await new Promise((resolve) => connect(place).on('error', (error) => resolve(error.code)).on('connect', resolve)));
       return codes;`,
    );
    assert.equal(returned(tried), ['ECONNREFUSED', 'ECONNREFUSED', 'ENOENT']);
    assert.is(one.proxy.connections(), 0);
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
});

test('a script can reach its own proxy, and nothing else', async () => {
  const sandbox = await sandboxes.take('multistep', AbortSignal.timeout(60_000));
  const answer = await answerOf(
    sandbox,
    `return new Promise((resolve, reject) => {
       let said = '';
       require('node:net').connect(boot.proxySocket).on('error', reject)
         .on('data', (chunk) => { said += chunk; }).on('end', () => resolve(said));
     });`,
  );
  assert.equal(answer, { type: 'returned', value: 'proxy' });
  assert.is(sandbox.proxy.connections(), 1);
  await sandbox.end();
});

tests.run();
