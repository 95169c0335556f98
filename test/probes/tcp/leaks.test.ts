import type { Socket } from 'node:net';
import { suite } from 'uvu';
import { handles, manyEndedEarly, noMoreThan } from '../handles.ts';
import { leaveNothing } from '../leaks.ts';
import type { TestRunOptions } from '../web/probing.ts';
import { rawServer } from '../web/servers.ts';
import { probe } from './probing.ts';

const leaks = suite('open handles after tcp checks');

const HOST = '127.0.0.1';
const silent = (): void => undefined;
const searching = { parameters: { search_text: 'ok' } };

const SERVERS: readonly [string, (socket: Socket) => void, TestRunOptions][] = [
  ['that says the text', (socket) => socket.write('ok'), searching],
  ['that is only connected to', silent, {}],
  ['that is sent a text', silent, { parameters: { send_text: 'x'.repeat(10_000) } }],
  ['that says nothing', silent, { ...searching, timeout: 0.02 }],
  ['that says something else', (socket) => socket.write('no'), { ...searching, timeout: 0.02 }],
  ['that closes at once', (socket) => socket.end(), searching],
  ['that resets', (socket) => socket.resetAndDestroy(), searching],
];

leaveNothing(leaks, probe, SERVERS);

leaks('aborted tcp checks leave no handles open', async () => {
  const server = await rawServer(silent);
  const before = handles();
  await manyEndedEarly((signal) => probe(HOST, server.port, { ...searching, signal }));
  await server.close();
  await noMoreThan(before);
});

leaks.run();
