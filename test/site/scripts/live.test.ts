import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assetName, assetNamed } from '../../../site/assets/assets.ts';
import { noBrowser, openBrowser } from '../../e2e/browser.ts';
import { eventually } from '../../waiting.ts';

const test = suite('live updates of an open status page');

const missing = noBrowser();
if (missing !== null) console.log(`skipped: ${missing}`);

let browser: Browser;
test.before(async () => {
  browser = await openBrowser();
});
// Only the browser is closed, not each page: Chromium can lose the command to close a page while a reload is being
// committed (https://crbug.com/536385539), and then Playwright waits forever.
test.after(() => browser.close());

const SCRIPT = assetNamed(assetName('live.js'))?.identity;

/** Returns a page with the elements that site/browser/live.ts requires. */
const html = ({ state, item = '', version }: { state: string; item?: string; version: string }) => `<!doctype html>
<html lang="en"><head><title>${state}</title><script src="live.js" defer></script></head><body>
<main data-events="events" data-version="${version}">
<section data-live="banner"><h1 data-summary>${state}</h1><time datetime="2020-01-01T00:00:00Z" data-relative>long ago</time></section>
<section data-live="incidents"><ul>${item}<li id="one"><details><summary>One</summary><p>${state}</p></details><input id="note"></li></ul></section>
<p data-announce="Now: {summary}" aria-live="polite"></p>
<p data-connection data-updated="Updated {ago}" data-reconnecting="Reconnecting, {ago}"></p>
</main></body></html>`;

/** Starts a server of a page. The test controls the state of the page and the responses. */
const serving = async () => {
  const shown = { state: 'All is well', item: '', version: '1', status: 200 };
  /** the responses to requests for these paths are delayed until the promise is settled, and have this status */
  const special = new Map<string, { until?: Promise<void>; status?: number }>();
  const streams = new Set<ServerResponse>();
  const paths: string[] = [];
  const answer = async ({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { until, status } = special.get(url) ?? {};
    const [headers, body] = [{ 'content-type': 'text/html', etag: `"${shown.version}"` }, html(shown)];
    await until;
    response.writeHead(status ?? shown.status, headers).end(body);
  };
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://page');
    paths.push(pathname + search);
    if (pathname === '/live.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
    else if (pathname === '/events' && shown.status === 200) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = search === `?since=${shown.version}` ? 'ready' : 'changed';
      response.write(`retry: 50\nevent: ${event}\nid: ${shown.version}\ndata: {}\n\n`);
      streams.add(response);
      response.once('close', () => streams.delete(response));
    } else if (pathname === '/') void answer(request, response);
    else response.writeHead(shown.status === 200 ? 404 : shown.status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    shown,
    special,
    streams,
    paths,
    address: `http://127.0.0.1:${port}/`,
    change: (changes: Partial<typeof shown>) => {
      Object.assign(shown, changes);
      for (const stream of streams)
        stream.write(`event: changed\nid: ${shown.version}\ndata: {"kinds":["incidents"],"ids":[]}\n\n`);
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const visiting = async () => {
  const server = await serving();
  const page = await browser.newPage();
  await page.goto(server.address);
  await eventually(() => server.streams.size > 0);
  return { server, page };
};

const textOf = (page: Page, selector: string): Promise<string | null> => page.locator(selector).textContent();

test('a live update changes the page in place, and preserves focus, input and open details', async () => {
  const { server, page } = await visiting();
  await page.locator('summary').click();
  await page.locator('#note').fill('typed');
  await page.evaluate('window.same = document.getElementById("note")');
  server.change({ state: 'Shop is down', item: '<li id="zero">New</li>', version: '2' });
  await eventually(async () => (await textOf(page, 'h1')) === 'Shop is down');
  assert.is(await page.title(), 'Shop is down');
  assert.is(await textOf(page, '#one p'), 'Shop is down');
  assert.is(await textOf(page, 'li:first-child'), 'New');
  assert.is(await textOf(page, '[data-announce]'), 'Now: Shop is down');
  const isUnchanged = 'same.isConnected && same === document.activeElement && same.value === "typed"';
  assert.ok(await page.evaluate(isUnchanged), 'the field lost its focus or its text');
  assert.ok(await page.evaluate('document.querySelector("details").open'), 'the details were closed');
  server.change({ state: 'All is well', item: '', version: '3' });
  await eventually(async () => (await textOf(page, 'h1')) === 'All is well');
  assert.is(await page.locator('#zero').count(), 0);
  assert.ok(await page.evaluate(isUnchanged), 'the field lost its focus or its text');
  assert.ok(server.paths.includes('/?live=2'));
  server.stop();
});

test('an open page shows the time since its last contact with the server, and a lost connection', async () => {
  const { server, page } = await visiting();
  const connection = page.locator('[data-connection]');
  await eventually(async () => (await connection.getAttribute('data-state')) === 'live');
  assert.match((await connection.textContent()) ?? '', /^Updated (now|\d+ sec)/);
  assert.match((await textOf(page, 'time')) ?? '', /days ago/);
  server.shown.status = 503;
  for (const stream of server.streams) stream.destroy();
  await eventually(async () => (await connection.getAttribute('data-state')) === 'lost');
  assert.match((await connection.textContent()) ?? '', 'Reconnecting');
  server.stop();
});

test('an open page sends its version when it reconnects, and reloads if the visitor has lost access', async () => {
  const { server, page } = await visiting();
  assert.ok(server.paths.includes('/events?since=1'));
  server.shown.status = 401;
  server.change({ state: 'Sign in', version: '4' });
  await eventually(() => server.paths.filter((path) => path === '/').length >= 2);
  await eventually(async () => (await textOf(page, 'h1')) === 'Sign in');
  server.stop();
});

test('an earlier state that arrives late does not replace a later state of an open page', async () => {
  const { server, page } = await visiting();
  await page.evaluate(() => {
    const heading = document.querySelector('h1') as HTMLElement;
    const states: string[] = [];
    Object.assign(window, { states });
    new MutationObserver(() => states.push(heading.textContent)).observe(heading, {
      characterData: true,
      subtree: true,
    });
  });
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  server.special.set('/?live=2', { until });
  server.change({ state: 'Shop is down', version: '2' });
  await eventually(() => server.paths.includes('/?live=2'));
  server.change({ state: 'Shop is slow', version: '3' });
  await eventually(async () => (await textOf(page, 'h1')) === 'Shop is slow');
  const late = page.waitForResponse(`${server.address}?live=2`);
  release();
  await (await late).finished();
  server.change({ state: 'All is well', version: '4' });
  await eventually(async () => (await textOf(page, 'h1')) === 'All is well');
  assert.equal(await page.evaluate('states'), ['Shop is slow', 'All is well']);
  server.stop();
});

test('several changes within a moment lead to one request for the newest state of an open page', async () => {
  const { server, page } = await visiting();
  const requests = () => server.paths.filter((path) => path.startsWith('/?live='));
  for (let version = 2; version <= 20; version++) server.change({ state: `State ${version}`, version: `${version}` });
  await eventually(() => requests().includes('/?live=20'));
  await eventually(async () => (await textOf(page, 'h1')) === 'State 20');
  // The events can arrive in two parts.
  assert.ok(requests().length <= 2, requests().join());
  server.stop();
});

test('an open page that cannot load a change says so, and loads the change later', async () => {
  const server = await serving();
  const page = await browser.newPage();
  await page.clock.install();
  await page.goto(server.address);
  await eventually(() => server.streams.size > 0);
  server.special.set('/?live=2', { status: 503 });
  server.change({ state: 'Shop is down', version: '2' });
  await page.clock.fastForward(1_000);
  const connection = page.locator('[data-connection]');
  await eventually(async () => (await connection.getAttribute('data-state')) === 'lost');
  await page.clock.fastForward(15_000);
  await eventually(async () => (await textOf(page, 'h1')) === 'Shop is down');
  await eventually(async () => (await connection.getAttribute('data-state')) === 'polling');
  await page.clock.fastForward(20_000);
  await eventually(async () => (await connection.getAttribute('data-state')) === 'live');
  assert.ok(server.paths.includes('/events?since=2'));
  server.stop();
});

test('the pauses of an open page grow as long as the page cannot be loaded, even if each stream opens', async () => {
  const server = await serving();
  const page = await browser.newPage();
  await page.clock.install();
  await page.goto(server.address);
  await eventually(() => server.streams.size > 0);
  await page.evaluate('Math.random = () => 0.5');
  server.special.set('/?live=2', { status: 503 });
  server.special.set('/', { status: 503 });
  const connection = page.locator('[data-connection]');
  const countOf = (path: string) => server.paths.filter((one) => one === path).length;
  /** Waits until the page has received that it has changed, and could not load the change. */
  const failure = async (): Promise<void> => {
    await eventually(async () => (await connection.getAttribute('data-state')) === 'live');
    await page.clock.fastForward(1_000);
    await eventually(async () => (await connection.getAttribute('data-state')) === 'lost');
  };
  server.change({ state: 'Shop is down', version: '2' });
  await failure();
  const requests = countOf('/');
  await page.clock.fastForward(8_000);
  await eventually(() => countOf('/') === requests + 1);
  await eventually(() => server.streams.size === 0);
  await page.clock.fastForward(16_000);
  await eventually(() => server.streams.size > 0);
  await failure();
  await page.clock.fastForward(8_000);
  // Only after another 7 seconds is the second pause over. A request of the page's own would come after an earlier one.
  await page.evaluate('fetch("after")');
  assert.is(countOf('/'), requests + 1, 'the second pause is not longer');
  await page.clock.fastForward(8_000);
  await eventually(() => countOf('/') === requests + 2);
  server.stop();
});

test('the script for live updates is small', () => {
  assert.ok((SCRIPT?.length ?? 0) <= 4_096);
});

if (missing === null) test.run();
