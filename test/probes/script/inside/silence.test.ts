import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { createServer as createPlain, type AddressInfo, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findScriptPrograms } from '../../../../probes/script/programs.ts';
import { createAuthority, hasOpenssl } from '../../web/certificates.ts';
import { whyNoSandbox } from '../../../../probes/script/sandbox/why-no-sandbox.ts';
import { freePort } from '../../../servers/ports.ts';
import { closeProxies, proxied } from '../proxy/proxy-client.ts';
import { browserOfScripts, forwarderTo } from './loading.ts';
import { realPause } from '../../../waiting.ts';
import { scriptRuns, UNKNOWN_NAMES } from './scripts.ts';

/* Tests that the browser for scripts makes no requests of its own after a failure. */

const tests = suite('the browser for scripts makes no requests of its own');
const { chromium } = await findScriptPrograms({ chromium: null });
const possible = hasOpenssl() && chromium !== null;
if (!hasOpenssl()) console.log('skipped: openssl is not installed');
if (chromium === null) console.log('skipped: chromium is not installed');
const test = possible ? tests : tests.skip.bind(tests);

const authority = possible ? createAuthority() : null;
const open = new Set<{ close: () => unknown }>();
const sockets = new Set<Socket>();
const listening = async (server: Server): Promise<string> => {
  server.on('connection', (socket: Socket) => sockets.add(socket));
  open.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port.toString();
};
tests.after(() => {
  authority?.close();
  for (const server of open) server.close();
  for (const socket of sockets) socket.destroy();
});

/** Starts an HTTPS server for a name, with an untrusted certificate. */
const secure = (name: string): Promise<string> => {
  const certificate = authority?.make('here', { names: `DNS:${name}` }) ?? { key: '', cert: '' };
  return listening(createSecure(certificate, (_, response) => response.end('<h1>Safe</h1>')));
};

const plain = (answer: (path: string) => { status: number; headers?: Record<string, string> } | null) =>
  listening(
    createServer((request, response) => {
      const given = answer(request.url ?? '/');
      if (given) response.writeHead(given.status, given.headers).end(given.status === 500 ? '' : '<h1>Broken</h1>');
    }),
  );

/** Starts a server that does not respond to a TLS handshake. With `ends`, the server resets the connection. */
const deaf = (ends: boolean): Promise<string> =>
  listening(
    createPlain((socket) => {
      socket.on('error', () => undefined);
      if (ends) socket.once('data', () => socket.resetAndDestroy());
    }) as unknown as Server,
  );

const noSandbox = await whyNoSandbox();
if (noSandbox !== null) console.log(`without a sandbox: ${noSandbox}`);
const { run, hosts } = await scriptRuns(tests, null, noSandbox === null ? 'sandbox' : 'off');

/**
 * Runs a script that opens a failing address and then waits.
 *
 * @param seconds time in which the browser might send requests of its own
 */
const failing = async (goes: string, seconds = 3): Promise<{ asked: string[]; status: string | undefined }> => {
  const before = hosts().length;
  const record = await run(
    'synthetic',
    `import { test, expect, chromium } from '@playwright/test';
    test('fails', async ({ page, context }) => {
      const go = (url, timeout = 20_000) => page.goto(url, { timeout }).then((answer) => answer?.status(), (error) => error.message);
      ${goes}
      await new Promise((resolve) => setTimeout(resolve, ${seconds * 1_000}));
    });`,
    { timeout: 60_000 },
  );
  assert.equal(
    record.tests.map(({ status, errors }) => [status, errors.map(({ message }) => message)]),
    [['passed', []]],
  );
  return { asked: [...new Set(hosts().slice(before))].sort(), status: record.tests[0]?.status };
};

test('the browser makes no requests of its own after a certificate error of any kind', async () => {
  const port = await secure('shop.test');
  const { asked } = await failing(`
    expect(await go('https://shop.test:${port}/')).toContain('ERR_CERT_AUTHORITY_INVALID');
    expect(await go('https://other.test:${port}/')).toContain('ERR_CERT');
    const other = await (await context.browser().newContext()).newPage();
    await other.goto('https://third.test:${port}/').catch(() => undefined);
    const own = await chromium.launch();
    await (await own.newPage()).goto('https://fourth.test:${port}/').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await own.close();`);
  assert.equal(asked, ['fourth.test', 'other.test', 'shop.test', 'third.test']);
});

test('the browser makes no requests of its own after a name without an address', async () => {
  const { asked } = await failing(`
    expect(await go('http://shop${UNKNOWN_NAMES}/')).toContain('shop${UNKNOWN_NAMES}');
    expect(await go('https://shop${UNKNOWN_NAMES}/')).toContain('shop${UNKNOWN_NAMES}');`);
  assert.equal(asked, [`shop${UNKNOWN_NAMES}`]);
});

test('the browser makes no requests of its own after a refused or reset connection', async () => {
  const [nobody, resets] = [await freePort(), await deaf(true)];
  const { asked } = await failing(`
    for (const port of [${nobody}, ${resets}])
      for (const scheme of ['http', 'https'])
        expect(typeof (await go(scheme + '://shop.test:' + port + '/'))).toBe('string');`);
  assert.equal(asked, ['shop.test']);
});

test('the browser makes no requests of its own during and after the silence of a server', async () => {
  const [tls, http] = [await deaf(false), await plain(() => null)];
  // After five seconds without a TLS response, the browser suspects a captive portal.
  const { asked } = await failing(`
    expect(await go('https://shop.test:${tls}/', 8_000)).toContain('Timeout');
    expect(await go('http://shop.test:${http}/', 8_000)).toContain('Timeout');`);
  assert.equal(asked, ['shop.test']);
});

test('the browser makes no requests of its own after an error response', async () => {
  const port = await plain((path) => {
    const status = Number(path.slice(1)) || 404;
    const headers = {
      'www-authenticate': 'Basic realm="shop"',
      nel: '{"report_to":"x","max_age":60,"failure_fraction":1}',
    };
    return status === 302 ? { status, headers: { location: '/302' } } : { status, headers };
  });
  const { asked } = await failing(`
    for (const status of [302, 400, 401, 403, 404, 429, 500, 502, 503, 504, 511])
      await go('http://shop.test:${port}/' + status);`);
  assert.equal(asked, ['shop.test']);
});

test('the browser makes no requests of its own after a page has crashed', async () => {
  const port = await plain(() => ({ status: 200 }));
  const { asked } = await failing(`
    expect(await go('http://shop.test:${port}/')).toBe(200);
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    const next = await context.newPage();
    await next.goto('http://shop.test:${port}/');`);
  assert.equal(asked, ['shop.test']);
});

test('the browser makes no requests of its own through the separate proxy', async () => {
  const requested: string[] = [];
  const recorder = createPlain((socket) => {
    requested.push('something');
    socket.on('error', () => undefined).destroy();
  });
  const beside = await listening(recorder as unknown as Server);
  const [tls, http, nobody] = [await secure('shop.test'), await plain(() => ({ status: 404 })), await freePort()];
  const proxy = await proxied({ hosts: { 'shop.test': ['127.0.0.1'] } });
  const forwarder = await forwarderTo(proxy.path);
  const browser = await browserOfScripts(chromium ?? '', {
    server: `socks5://127.0.0.1:${beside}`,
    bypass: '<-loopback>',
  });
  try {
    const server = `http://127.0.0.1:${forwarder.port}`;
    const context = await browser.newContext({ proxy: { server, bypass: '<-loopback>' } });
    const page = await context.newPage();
    // The browser would send its own requests within some seconds of its start.
    await realPause(8_000, 'for what a browser asks for at its start');
    const { href: refused } = new URL(`http://shop.test:${nobody}/`);
    for (const url of [`https://shop.test:${tls}/`, `http://shop.test:${http}/`, refused, 'http://a.nowhere.test/'])
      await page.goto(url).catch(() => undefined);
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    await realPause(5_000, 'for what a browser asks for after failures');
    assert.equal(requested, []);
    assert.ok(proxy.connections() >= 2);
  } finally {
    await browser.close();
    await forwarder.close();
    await closeProxies();
  }
});

tests.run();
