import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { request } from '../../api/http.ts';
import { startService, type Service } from '../../api/service.ts';

const test = suite('the document of the console');
let service: Service;
test.before(async () => {
  service = await startService();
});
test.after(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) => request(service.port, { path, headers });

/** Returns the paths that a page refers to, as a browser resolves them if a proxy adds a prefix. */
const addressesIn = (html: string, path: string): string[] =>
  [...html.matchAll(/(?:src|href)="((?!data:)[^"]+)"/g)].map(
    ([, address = '']) => new URL(address, `http://proxy/prefix${path}`).pathname,
  );

test("the console's document is served at every path below /console, and its links to assets work below any proxy prefix", async () => {
  for (const path of [
    '/console',
    '/console/',
    '/console/checks',
    '/console/checks/',
    '/console/a/b/c',
    '/console/%ff',
  ]) {
    const reply = await get(path);
    assert.is(reply.status, 200, path);
    const addresses = addressesIn(reply.text, path);
    assert.is(addresses.length, 3);
    for (const address of addresses) {
      assert.match(address, /^\/prefix\/console\/assets\/(?:console|shared)-\w+\.(?:js|css)$/, path);
      const asset = await get(address.replace('/prefix', ''));
      assert.is(asset.status, 200, address);
      assert.is(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
    }
  }
});

test('the console runs only its own scripts, sends requests only to its own origin, and creates no markup from texts', async () => {
  const { headers } = await get('/console');
  const policy = String(headers['content-security-policy']).split(';');
  assert.equal(policy.sort(), [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "frame-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "require-trusted-types-for 'script'",
    "script-src 'self'",
    "style-src 'self'",
    "trusted-types 'none'",
  ]);
  assert.is(headers['cache-control'], 'no-cache');
  assert.is(headers['x-content-type-options'], 'nosniff');
});

test('the console’s document contains only its script, and a message in the browser’s language that is shown if scripts are disabled', async () => {
  const { text, headers } = await get('/console', { 'accept-language': 'de' });
  assert.match(text, '<html lang="de"');
  assert.match(text, '<noscript>Die Konsole braucht JavaScript.');
  assert.match(String(headers.vary), 'Accept-Language');
  assert.not.match(text, / style=|<style|onload=/);
  assert.is(text.match(/<script/g)?.length, 1);
});

test('the console responds 404 or 405 to other methods and to unknown files', async () => {
  assert.is((await request(service.port, { method: 'POST', path: '/console' })).status, 405);
  assert.is((await get('/console/assets/console-NONE.js')).status, 404);
  assert.is((await get('/consoles')).status, 404);
});

test("the console's frame for previews can't run scripts or navigate, and only the console can embed it", async () => {
  const { status, headers, text } = await get('/console/frame');
  assert.is(status, 200);
  assert.equal(String(headers['content-security-policy']).split(';').sort(), [
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "img-src 'self' data:",
    'sandbox allow-same-origin',
    "style-src 'self' 'unsafe-inline'",
  ]);
  assert.is(headers['x-frame-options'], 'SAMEORIGIN');
  assert.not.match(text, 'script');
});

test.run();
