import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gzipSync } from 'node:zlib';
import { probe, type Probing } from './probing.ts';
import { closedPort, httpServer, rawServer, saying, type Opened } from './servers.ts';

/*
 * Whatever a target does, a run gives back what it took. Each failure is made a thousand times, a
 * hundred at a time.
 */

const leaks = suite('runs leave nothing behind');
const RUNS = 1_000;
const AT_ONCE = 100;

const SERVERS: readonly [string, () => Promise<Opened>, Probing][] = [
  ['that answers', () => httpServer((_, response) => response.end('ok')), { parameters: { search_text: 'ok' } }],
  ['that says nothing', () => rawServer(() => undefined), { timeout: 0.02 }],
  ['that stops within its body', () => saying('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'), { timeout: 0.02 }],
  ['that closes at once', () => rawServer((socket) => socket.end()), {}],
  ['that resets', () => saying('', (socket) => socket.resetAndDestroy()), {}],
  ['that is no HTTP server', () => saying('SSH-2.0-x\r\n'), {}],
  ['that redirects in a loop', () => httpServer((_, response) => response.writeHead(302, { location: '/' }).end()), {}],
  [
    'that cuts its gzip off',
    () =>
      httpServer((_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000)).subarray(0, 20)),
      ),
    {},
  ],
  [
    'that stops within its gzip',
    () => {
      const packed = gzipSync(Buffer.alloc(100_000)).subarray(0, 50);
      return saying(['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n', packed]);
    },
    { timeout: 0.02 },
  ],
];

const kinds = (): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counted[kind] = (counted[kind] ?? 0) + 1;
  return counted;
};

/** Waits until no more is open than before, for a bounded time. */
const back = async (before: Record<string, number>): Promise<void> => {
  for (let looks = 0; looks < 500; looks++) {
    const now = kinds();
    if (Object.entries(now).every(([kind, count]) => count <= (before[kind] ?? 0))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // The timer of the pause before this look is gone, and none is left of the runs.
  assert.equal(kinds(), before);
};

const manyRuns = async (url: string, given: Probing): Promise<void> => {
  let left = RUNS;
  const runner = async (): Promise<void> => {
    while (left-- > 0) await probe(url, given);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
};

for (const [name, start, given] of SERVERS) {
  leaks(`of a server ${name}`, async () => {
    const server = await start();
    const url = `http://127.0.0.1:${server.port.toString()}/`;
    await probe(url, given);
    const before = kinds();
    await manyRuns(url, given);
    await server.close();
    await back(before);
  });
}

leaks('of a port on which nothing listens, and of targets that are refused or not found', async () => {
  const port = (await closedPort()).toString();
  const before = kinds();
  await manyRuns(`http://both.test:${port}/`, { hosts: { 'both.test': ['127.0.0.1', '::1'] } });
  await manyRuns('http://169.254.169.254/', {});
  await manyRuns('http://nowhere.test/', {});
  await back(before);
});

leaks('of runs that are ended from outside', async () => {
  const server = await rawServer(() => undefined);
  const url = `http://127.0.0.1:${server.port.toString()}/`;
  const before = kinds();
  for (let round = 0; round < RUNS / AT_ONCE; round++) {
    const endings = Array.from({ length: AT_ONCE }, () => new AbortController());
    const runs = endings.map(({ signal }) => probe(url, { signal }).catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const ending of endings) ending.abort();
    await Promise.all(runs);
  }
  await server.close();
  await back(before);
});

leaks.run();
