import type { Socket } from 'node:net';
import { suite } from 'uvu';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../handles.ts';
import type { Probing } from '../web/probing.ts';
import { closedPort, rawServer } from '../web/servers.ts';
import { probe } from './probing.ts';

const leaks = suite('runs of tcp checks leave nothing behind');

const HOST = '127.0.0.1';
const silent = (): void => undefined;
const searching = { parameters: { search_text: 'ok' } };

const SERVERS: readonly [string, (socket: Socket) => void, Probing][] = [
  ['that says the text', (socket) => socket.write('ok'), searching],
  ['that is only connected to', silent, {}],
  ['that is sent a text', silent, { parameters: { send_text: 'x'.repeat(10_000) } }],
  ['that says nothing', silent, { ...searching, timeout: 0.02 }],
  ['that says something else', (socket) => socket.write('no'), { ...searching, timeout: 0.02 }],
  ['that closes at once', (socket) => socket.end(), searching],
  ['that resets', (socket) => socket.resetAndDestroy(), searching],
];

for (const [name, talk, given] of SERVERS) {
  leaks(`of a server ${name}`, async () => {
    const server = await rawServer(talk);
    const before = handles();
    await manyTimes(() => probe(HOST, server.port, given));
    await server.close();
    await noMoreThan(before);
  });
}

leaks('of a port on which nothing listens, and of targets that are refused or not found', async () => {
  const port = await closedPort();
  const before = handles();
  await manyTimes(() => probe('both.test', port, { hosts: { 'both.test': [HOST, '::1'] } }));
  await manyTimes(() => probe('169.254.169.254', port));
  await manyTimes(() => probe('nowhere.test', port));
  await noMoreThan(before);
});

leaks('of runs that are ended from outside', async () => {
  const server = await rawServer(silent);
  const before = handles();
  await manyEndedEarly((signal) => probe(HOST, server.port, { ...searching, signal }));
  await server.close();
  await noMoreThan(before);
});

leaks.run();
