import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { handles, manyTimes, noMoreThan } from '../../handles.ts';
import { closeServers, httpServer, rawServer } from '../../web/servers.ts';
import { freePort } from '../../../servers/ports.ts';
import { forwarderTo } from '../inside/loading.ts';
import { responseTo, closeProxies, got, proxied, tunnel, type Proxied } from './proxy-client.ts';
import { eventually, realPause } from '../../../waiting.ts';

const leaks = suite('open handles after use of the proxy');

leaks.after.each(async () => {
  await closeProxies();
  await closeServers();
});

const MANY = { connections: 10_000, requests: 10_000 };

const WAYS: readonly [what: string, once: (proxy: Proxied, port: number) => Promise<unknown>][] = [
  ['requests', (proxy, port) => got(proxy, `http://name.test:${port}/`)],
  ['tunnels', async (proxy, port) => (await tunnel(proxy, `name.test:${port}`, 'GET / HTTP/1.0\r\n\r\n')).whole],
  ['refused tunnels', (proxy) => responseTo(proxy, 'CONNECT name.test:22 HTTP/1.1\r\n\r\n')],
  ['invalid requests', (proxy) => responseTo(proxy, 'nonsense\r\n\r\n')],
  [
    'tunnels that clients close',
    async (proxy, port) => {
      const opened = await tunnel(proxy, `name.test:${port}`);
      opened.socket.destroy();
    },
  ],
];

for (const [what, once] of WAYS) {
  leaks(
    `a thousand ${what} through the proxy, one after another and then concurrently, leave no handles open`,
    async () => {
      const server = await httpServer((_, response) => response.end('ok'));
      const before = handles();
      const proxy = await proxied({ limits: MANY });
      for (let times = 0; times < 1_000; times++) await once(proxy, server.port);
      await manyTimes(() => once(proxy, server.port));
      await proxy.close();
      await server.close();
      await noMoreThan(before);
    },
  );
}

leaks('refusing, resetting and unknown targets of the proxy leave no handles open', async () => {
  const port = await freePort();
  const resetting = await rawServer((socket) => socket.resetAndDestroy());
  const before = handles();
  const proxy = await proxied({ limits: MANY });
  await manyTimes(() => got(proxy, `http://name.test:${port}/`));
  await manyTimes(() => got(proxy, `http://name.test:${resetting.port}/`));
  await manyTimes(() => got(proxy, 'http://nowhere.test/'));
  await proxy.close();
  await resetting.close();
  await noMoreThan(before);
});

leaks('a hundred proxies that are closed while busy leave no handles open', async () => {
  const server = await rawServer((socket) => {
    socket.resume().once('end', () => socket.destroy());
  });
  const before = handles();
  for (let number = 0; number < 100; number++) {
    const proxy = await proxied();
    const forwarder = await forwarderTo(proxy.path);
    const place = `name.test:${server.port}`;
    const under = [got(proxy, `http://${place}/`), got(proxy, `http://${place}/`), tunnel(proxy, place)];
    if (number % 2 === 0) await realPause(number % 5, 'the proxy is in the middle of something else each time');
    await proxy.close();
    await forwarder.close();
    await Promise.all(under);
  }
  await eventually(() => server.open() === 0);
  await server.close();
  await noMoreThan(before);
  assert.ok(true);
});

leaks.run();
