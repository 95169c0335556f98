// Own process: a browser stays open for as long as the file runs.
import { request as httpRequest, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeAt } from '../../authenticator.ts';
import { PASSWORD, storeUser, signedIn, withSecondFactor } from '../../api/v1/login/signed-in-user.ts';
import { eventually } from '../../waiting.ts';
import { noBrowser } from '../browser.ts';
import {
  assertNothingFailed,
  openConsole,
  signedInTab,
  signInAt,
  signInShown,
  signOutAt,
  type Console,
} from './visits.ts';

const test = suite<{ site: Console }>('sessions of the console');

test.before(async (context) => {
  context.site = await openConsole();
});
test.after(({ site }) => site.stop());

const QUARTER_HOUR = 15 * 60_000;
const overview = (page: {
  getByRole: (role: 'heading', options: { name: string }) => { waitFor: () => Promise<void> };
}) => page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();

for (const locks of [true, false])
  test(`one session serves all tabs that are opened at the same time in a browser ${locks ? 'with' : 'without'} locks`, async ({
    site,
  }) => {
    const visitor = await site.visit();
    // Browsers offer the Web Locks API only on https and on localhost, so it is removed here.
    if (!locks) await visitor.context.addInitScript('delete Navigator.prototype.locks');
    const { page } = await signedInTab(site, visitor, locks ? 'ann' : 'hans');
    assert.is(await page.evaluate(() => 'locks' in navigator), locks);
    const tabs = await Promise.all(Array.from({ length: 8 }, () => visitor.open()));
    await Promise.all(tabs.map(overview));
    await overview(page);
    assertNothingFailed(visitor);
    await visitor.close();
  });

test('the session continues after its access token has expired, because the token is replaced before the next request', async ({
  site,
}) => {
  const visitor = await site.visit();
  const { page } = await signedInTab(site, visitor, 'ben');
  await page.clock.install({ time: site.service.time.now });
  await page.goto(`${site.address}/console/nothing`);
  const leadsBack = page.getByRole('link', { name: 'Go to the overview' });
  await leadsBack.waitFor();
  site.service.time.now += QUARTER_HOUR;
  await page.clock.fastForward(QUARTER_HOUR);
  await leadsBack.click();
  await overview(page);
  assertNothingFailed(visitor);
  await visitor.close();
});

test('the session continues if the browser’s clock is slow, because a rejected token is replaced', async ({ site }) => {
  const visitor = await site.visit();
  const { page } = await signedInTab(site, visitor, 'gina');
  await page.goto(`${site.address}/console/nothing`);
  const leadsBack = page.getByRole('link', { name: 'Go to the overview' });
  await leadsBack.waitFor();
  const credential = (request: Request): string | undefined => request.headers()['authorization'];
  const refused: (string | undefined)[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 401) refused.push(credential(answer.request()));
  });
  const request = page.waitForRequest((sent) => credential(sent) !== undefined);
  await page.reload();
  const expired = credential(await request);
  await leadsBack.waitFor();
  site.service.time.now += QUARTER_HOUR;
  await leadsBack.click();
  await overview(page);
  await page.getByRole('link', { name: 'Checks', exact: true }).click();
  await page.waitForURL(`${site.address}/console/checks`);
  await overview(page);
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await overview(page);
  // Several concurrent requests may be rejected, but only with the expired token. Nothing else fails.
  assert.ok(refused.length > 0);
  assert.equal([...new Set(refused)], [expired]);
  assert.is(visitor.complaints.length, refused.length);
  assert.ok(visitor.complaints.every((complaint) => complaint.startsWith('401 /v1/')));
  await visitor.close();
});

test('the session ends in every tab when it is ended elsewhere, because its tokens are no longer valid', async ({
  site,
}) => {
  const visitor = await site.visit();
  const { page, id } = await signedInTab(site, visitor, 'cleo');
  const other = await visitor.open();
  await overview(other);
  const token = new Promise<string>((resolve) => {
    other.on('request', (sent) => {
      const { authorization } = sent.headers();
      if (authorization !== undefined) resolve(authorization);
    });
  });
  await other.reload();
  await overview(other);
  const stolen = await token;
  assert.is((await site.service.request('GET', '/v1/checks', { key: stolen })).status, 200);
  const key = site.service.first.keys.admin;
  assert.is((await site.service.request('DELETE', `/v1/users/${id}/sessions`, { key })).status, 204);
  await eventually(async () => (await site.service.request('GET', '/v1/checks', { key: stolen })).status === 401);
  await other.goto(`${site.address}/console`);
  await signInShown(other);
  assert.equal(await visitor.context.cookies(), []);
  await signInShown(page);
  await visitor.close();
});

test('a user with a second factor starts the session with a code', async ({ site }) => {
  const { service } = site;
  const { email } = await storeUser(service, 'dora');
  const { secret } = await withSecondFactor(service, (await signedIn(service, email)).access_token);
  const visitor = await site.visit();
  const page = await visitor.open();
  await signInAt(page, email);
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  const code = page.getByLabel('Code', { exact: true });
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('The code is wrong').waitFor();
  await code.fill(codeAt(secret, service.time.now));
  await page.keyboard.press('Enter');
  await overview(page);
  await visitor.close();
});

/** Starts a proxy that serves a service below a path prefix that the service does not know. */
const belowPrefix = async (prefix: string, port: number): Promise<{ address: string; server: Server }> => {
  const server = createServer((requested, answer) => {
    const url = requested.url ?? '/';
    if (!url.startsWith(`${prefix}/`)) {
      answer.writeHead(404).end();
      return;
    }
    const { method, headers } = requested;
    const sent = httpRequest({ port, method, path: url.slice(prefix.length), headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    });
    requested.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
};

test('the session works below the path prefix of a proxy, and its cookie is sent only there', async ({ site }) => {
  const { address, server } = await belowPrefix('/monitoring', site.service.port);
  const { email } = await storeUser(site.service, 'emil');
  const visitor = await site.visit({}, address);
  const page = await visitor.open('/monitoring/console/nothing/here?at=all');
  await signInAt(page, email, PASSWORD);
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await overview(page);
  assert.is(new URL(page.url()).pathname, '/monitoring/console');
  const [cookie] = await visitor.context.cookies();
  assert.is(cookie?.path, '/monitoring/v1/session');
  await page.reload();
  await overview(page);
  await page.getByRole('link', { name: 'API documentation' }).click();
  await page.waitForURL(`${address}/monitoring/docs`);
  await page.goBack();
  await overview(page);
  assertNothingFailed(visitor);
  await signOutAt(page);
  await signInShown(page);
  assert.equal(await visitor.context.cookies(), []);
  await visitor.close();
  server.closeAllConnections();
  server.close();
});

test('the session can’t be used by a page of another origin', async ({ site }) => {
  const visitor = await site.visit();
  const { page } = await signedInTab(site, visitor, 'fred');
  await overview(page);
  const evil = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<title>Another origin</title>');
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  const port = (evil.address() as AddressInfo).port.toString();
  // The port differs, but the site is the same, so the browser sends even a SameSite=Strict cookie.
  const attacker = await visitor.context.newPage();
  await attacker.goto(`http://127.0.0.1:${port}/`);
  const outcomes = await attacker.evaluate(async (service) => {
    const tries = ['refresh', 'logout'].map((path) =>
      fetch(`${service}/v1/session/${path}`, { method: 'POST', credentials: 'include' }).then(
        (answer) => `read ${answer.status}`,
        () => 'refused',
      ),
    );
    return Promise.all(tries);
  }, site.address);
  assert.equal(outcomes, ['refused', 'refused']);
  await page.reload();
  await overview(page);
  assert.is((await visitor.context.cookies()).length, 1);
  evil.closeAllConnections();
  evil.close();
  await visitor.close();
});

test('the sign-in warns if the connection is not encrypted', async ({ site }) => {
  const visitor = await site.visit();
  const page = await visitor.context.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false });
  });
  await page.goto(`${site.address}/console`);
  await page.getByText('This connection is not encrypted').waitFor();
  await visitor.close();
  const safe = await site.visit();
  const shown = await safe.open();
  await signInShown(shown);
  assert.is(await shown.getByText('This connection is not encrypted').count(), 0);
  await safe.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
