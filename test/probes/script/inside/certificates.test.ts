import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findScriptPrograms } from '../../../../probes/script/programs.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { createAuthority, hasOpenssl } from '../../web/certificates.ts';
import { scriptRuns } from './scripts.ts';

/* Tests with servers whose certificates are signed by an additional authority, which a file contains. */

const tests = suite('scripts with additional certificate authorities');
const { chromium } = await findScriptPrograms({ chromium: null });
const skip = tests.skip.bind(tests);
const possible = hasOpenssl();
if (!possible) console.log('skipped: openssl is not installed');
if (chromium === null) console.log('skipped: chromium is not installed');
const test = possible ? tests : skip;
const testOfBrowser = possible && chromium !== null ? tests : skip;

const authority = possible ? createAuthority() : null;
const stranger = possible ? createAuthority() : null;
const servers: Server[] = [];
tests.after(() => {
  authority?.close();
  stranger?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
const trusting = await scriptRuns(tests, authority?.file('root.crt'));
const usual = await scriptRuns(tests);

/** Starts a server whose certificate is signed by an authority. @returns its address */
const serverOf = async (signer: typeof authority): Promise<string> => {
  const { key, cert } = signer?.make('here', { names: 'DNS:here.test,IP:127.0.0.1' }) ?? { key: '', cert: '' };
  const server = createServer({ key, cert: cert + (signer?.root ?? '') }, (_, response) =>
    response.end('<h1>Safe</h1>'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const endsOf = (record: RunRecord): string[] =>
  record.tests.map(({ titles, status, errors }) =>
    [titles.join(' › '), status, errors[0]?.message.split('\n')[0] ?? ''].join(': '),
  );

const REQUESTS = `
  const { test, expect } = require('@playwright/test');
  const https = require('node:https');
  test('request', async ({ request }) => { expect((await request.get(process.env.SERVER)).status()).toBe(200); });
  test('fetch', async () => { expect((await fetch(process.env.SERVER)).status).toBe(200); });
  test('https', async () => {
    await new Promise((resolve, reject) => https.get(process.env.SERVER, resolve).on('error', reject));
  });`;

const PAGE = `
  const { test, expect } = require('@playwright/test');
  test('page', async ({ page }) => {
    await page.goto(process.env.SERVER);
    await expect(page.locator('h1')).toHaveText('Safe');
  });`;

test('requests of scripts reach servers whose certificates an additional authority has signed', async () => {
  const record = await trusting.run('multistep', REQUESTS, { environment: { SERVER: await serverOf(authority) } });
  assert.equal(endsOf(record), ['request: passed: ', 'fetch: passed: ', 'https: passed: ']);
});

test('requests of scripts reach no server of an unknown authority, and no server of an additional authority if its file is missing', async () => {
  const others = await trusting.run('multistep', REQUESTS, { environment: { SERVER: await serverOf(stranger) } });
  const without = await usual.run('multistep', REQUESTS, { environment: { SERVER: await serverOf(authority) } });
  for (const record of [others, without])
    assert.equal(
      record.tests.map(({ status }) => status),
      ['failed', 'failed', 'failed'],
    );
});

testOfBrowser('pages of scripts reach servers of an additional authority, but of no other authority', async () => {
  const run = (server: string): Promise<RunRecord> =>
    trusting.run('synthetic', PAGE, { environment: { SERVER: server } });
  assert.equal(endsOf(await run(await serverOf(authority))), ['page: passed: ']);
  const [refused = ''] = endsOf(await run(await serverOf(stranger)));
  assert.match(refused, /^page: failed: Error: page\.goto: net::ERR_CERT_AUTHORITY_INVALID/);
});

tests.run();
