import { suite } from 'uvu';
import { gzipSync } from 'node:zlib';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../handles.ts';
import { probe, type TestRunOptions } from './probing.ts';
import { httpServer, rawServer, saying, type Opened } from './servers.ts';
import { freePort } from '../../servers/ports.ts';

/*
 * Tests that a run releases its resources, whatever the target does. Each failure happens a thousand times, a hundred
 * times concurrently.
 */

const leaks = suite('open handles after web checks');

const SERVERS: readonly [string, () => Promise<Opened>, TestRunOptions][] = [
  ['that responds', () => httpServer((_, response) => response.end('ok')), { parameters: { search_text: 'ok' } }],
  ['that sends nothing', () => rawServer(() => undefined), { timeout: 0.02 }],
  ['that stops within its body', () => saying('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'), { timeout: 0.02 }],
  ['that closes immediately', () => rawServer((socket) => socket.end()), {}],
  ['that resets', () => saying('', (socket) => socket.resetAndDestroy()), {}],
  ['that is not an HTTP server', () => saying('SSH-2.0-x\r\n'), {}],
  ['that redirects in a loop', () => httpServer((_, response) => response.writeHead(302, { location: '/' }).end()), {}],
  [
    'that truncates its gzip data',
    () =>
      httpServer((_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000)).subarray(0, 20)),
      ),
    {},
  ],
  [
    'that stops within its gzip data',
    () => {
      const packed = gzipSync(Buffer.alloc(100_000)).subarray(0, 50);
      return saying(['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n', packed]);
    },
    { timeout: 0.02 },
  ],
];

for (const [name, start, given] of SERVERS) {
  leaks(`web checks of a server ${name} leave no handles open`, async () => {
    const server = await start();
    const url = `http://127.0.0.1:${server.port}/`;
    await probe(url, given);
    const before = handles();
    await manyTimes(() => probe(url, given));
    await server.close();
    await noMoreThan(before);
  });
}

leaks('web checks of closed ports and of refused or unknown targets leave no handles open', async () => {
  const port = (await freePort()).toString();
  const before = handles();
  await manyTimes(() => probe(`http://both.test:${port}/`, { hosts: { 'both.test': ['127.0.0.1', '::1'] } }));
  await manyTimes(() => probe('http://169.254.169.254/'));
  await manyTimes(() => probe('http://nowhere.test/'));
  await noMoreThan(before);
});

leaks('aborted web checks leave no handles open', async () => {
  const server = await rawServer(() => undefined);
  const url = `http://127.0.0.1:${server.port}/`;
  const before = handles();
  await manyEndedEarly((signal) => probe(url, { signal }));
  await server.close();
  await noMoreThan(before);
});

leaks.run();
