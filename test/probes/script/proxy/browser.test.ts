import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Duplex } from 'node:stream';
import { chromium } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser } from '../../../e2e/browser.ts';
import { createAuthority } from '../../web/certificates.ts';
import { closeServers, httpServer, listening } from '../../web/servers.ts';
import { forwarderTo } from '../inside/loading.ts';
import { closeProxies, proxied, type Proxied } from './proxy-client.ts';

const browsing = suite('Chromium with the proxy of a script');

browsing.after.each(async () => {
  await closeProxies();
  await closeServers();
});

const CHROMIUM = '/usr/bin/chromium';

const openBehind = async (proxy: Proxied) => {
  const forwarder = await forwarderTo(proxy.path);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    proxy: { server: `http://127.0.0.1:${forwarder.port}`, bypass: '<-loopback>' },
    args: [
      ...['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
      ...['--disable-quic', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
      '--disable-features=Translate,OptimizationHints,MediaRouter,AsyncDns,DnsOverHttps,NetworkTimeServiceQuerying',
      // Debian's Chromium sends some requests that can't be turned off. They are directed to ports to which browsers
      // refuse to connect.
      ...['gaia-url=', 'google-apis-url=', 'component-updater=url-source='].map(
        (name) => `--${name}http://127.0.0.1:1/`,
      ),
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
  return {
    page: await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage(),
    close: async () => {
      await browser.close();
      await forwarder.close();
    },
  };
};

/** Echoes short messages over a WebSocket. */
const echo = (request: IncomingMessage, socket: Duplex): void => {
  const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on('error', () => undefined);
  socket.on('data', (frame: Buffer) => {
    const length = (frame[1] ?? 0) & 0x7f;
    const mask = frame.subarray(2, 6);
    const text = frame.subarray(6, 6 + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    if (((frame[0] ?? 0) & 0x0f) === 1) socket.write(Buffer.concat([Buffer.from([0x81, length]), text]));
  });
};

const without = noBrowser();
if (without === null) {
  browsing('Chromium opens pages by names that only the proxy resolves, with their resources', async () => {
    const server = await httpServer((request, response) => {
      if (request.url === '/') response.end('<title>Shop</title><img src="/a.png"><script src="/b.js"></script>');
      else response.end('document.title += "!"');
    });
    const proxy = await proxied();
    const { page, close } = await openBehind(proxy);
    const answer = await page.goto(`http://name.test:${server.port}/`);
    assert.is(answer?.status(), 200);
    assert.is(await page.title(), 'Shop!');
    await close();
    assert.equal(
      proxy.notes.filter((note) => note.includes('name.test')),
      [],
    );
  });

  browsing('Chromium opens pages over TLS, and verifies their certificates itself', async () => {
    const authority = createAuthority();
    const certificate = authority.make('name.test', { names: 'DNS:name.test', selfSigned: true });
    authority.close();
    const server = await listening(createSecure(certificate, (_, response) => response.end('<title>Safe</title>')));
    const proxy = await proxied();
    const { page, close } = await openBehind(proxy);
    const answer = await page.goto(`https://name.test:${server.port}/`);
    assert.is(await page.title(), 'Safe');
    assert.is((await answer?.securityDetails())?.subjectName, 'name.test');
    await close();
  });

  browsing('Chromium uses WebSockets through the proxy', async () => {
    const http = createServer((_, response) => response.end('<title>Talk</title>'));
    http.on('upgrade', echo);
    const server = await listening(http);
    const proxy = await proxied();
    const { page, close } = await openBehind(proxy);
    const place = `name.test:${server.port}`;
    await page.goto(`http://${place}/`);
    const output = await page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket('ws://${place}/');
      socket.onopen = () => socket.send('hello');
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => resolve('error');
    })`);
    assert.is(output, 'hello');
    await close();
  });

  browsing(
    'Chromium reaches nothing that the proxy refuses, including loopback, and shows the proxy’s sentence',
    async () => {
      let requested = 0;
      const server = await httpServer((_, response) => {
        requested += 1;
        response.end('secret');
      });
      const port = server.port.toString();
      const proxy = await proxied({ rules: { policy: 'public' }, hosts: { localhost: ['127.0.0.1'] } });
      const { page, close } = await openBehind(proxy);
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '2130706433', 'name.test']) {
        const answer = await page.goto(`http://${host}:${port}/`);
        assert.is(answer?.status(), 403, host);
        assert.match((await page.textContent('body')) ?? '', /does not allow|was not found/, host);
      }
      const failed = await page.goto(`https://name.test:${port}/`).then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
      assert.match(failed, /ERR_TUNNEL_CONNECTION_FAILED/);
      await close();
      assert.is(requested, 0);
      assert.is(proxy.bytes(), 0);
      assert.ok(proxy.notes.length > 0);
    },
  );
} else console.log(`skipped: ${without}`);

browsing.run();
