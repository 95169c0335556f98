import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../handles.ts';
import { leaveNothing } from '../leaks.ts';
import type { TestRunOptions } from '../run-context.ts';
import { probe } from './probing.ts';
import { createRsaCertificate } from './servers/rsa-certificate.ts';
import { tlsServer } from './tls-server.ts';

const leaks = suite('open handles after ssl checks');

const HOST = '127.0.0.1';

const SERVERS: readonly [string, (socket: Socket) => void, TestRunOptions][] = [
  ['that says nothing', () => undefined, { timeout: 0.02 }],
  ['that says something else', (socket) => socket.write('SSH-2.0-Example\r\n'), { timeout: 0.1 }],
  ['that closes at once', (socket) => socket.end(), { timeout: 0.1 }],
  ['that resets', (socket) => socket.resetAndDestroy(), { timeout: 0.1 }],
  ['that refuses every hello', (socket) => socket.end(Buffer.from('15030100020228', 'hex')), { timeout: 0.1 }],
  ['that does not want TLS', (socket) => socket.end('-ERR\r\n'), { parameters: { starttls: 'pop3' } }],
  ['that never greets', () => undefined, { timeout: 0.02, parameters: { starttls: 'smtp' } }],
];

leaveNothing(leaks, probe, SERVERS);

leaks('ssl checks that end during a scan leave no handles open', async () => {
  const server = await tlsServer(createRsaCertificate());
  const before = handles();
  let limit = 0;
  const statuses = new Set<string>();
  await manyTimes(async () => {
    limit = (limit + 0.013) % 0.2;
    statuses.add((await probe(HOST, server.port, { timeout: limit + 0.01 })).status);
  });
  await noMoreThan(before);
  await server.close();
  assert.ok(statuses.has('down') || statuses.has('failed'), [...statuses].join());
});

leaks('aborted ssl checks leave no handles open', async () => {
  const server = await tlsServer(createRsaCertificate());
  const before = handles();
  await manyEndedEarly((signal) => probe(HOST, server.port, { signal }));
  await noMoreThan(before);
  await server.close();
});

leaks.run();
