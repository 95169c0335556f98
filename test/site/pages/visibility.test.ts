import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../../api/http.ts';
import { isShown, startProtectedSite, type ProtectedSite } from './protected-site.ts';

const test = suite<{ locked: ProtectedSite }>('visibility of status pages');

test.before.each(async (context) => {
  context.locked = await startProtectedSite();
});
test.after.each(({ locked }) => locked.service.stop());

/** Returns a response without its request id and its date, which are different in every response. */
const comparable = ({ status, text, headers }: Reply) => {
  const fixed = Object.entries(headers).filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, text, headers: Object.fromEntries(fixed) };
};

test('a page that is restricted to some addresses responds to other addresses like a page that does not exist', async ({
  locked,
}) => {
  const { visit, send, change, lock } = locked;
  await change({ ip_restrictions: '127.0.0.7' });
  await lock('open sesame 42');
  for (const path of ['', '/', '/history', '/x', '/access'])
    for (const accept of ['text/html', 'application/json', '*/*', 'image/png']) {
      const [hidden, absent] = await Promise.all(
        ['acme', 'nobody'].map((name) => visit(`/status/${name}${path}`, { headers: { accept } })),
      );
      assert.ok(hidden && absent);
      assert.equal(comparable(hidden), comparable(absent), `${path} ${accept}`);
      // Some routes offer only HTML, so they respond to another Accept header with 406, whether or not the page exists.
      assert.ok([404, ...(accept === 'text/html' ? [] : [406])].includes(hidden.status));
    }
  assert.is((await send('/status/acme/access', { password: 'open sesame 42' })).status, 404);
  assert.is((await send('/status/acme/choices', { theme: 'dark' })).status, 404);
  assert.is((await visit('/', { host: 'acme.status.example' })).status, 404);
  assert.is((await visit('/status/acme', { from: '127.0.0.7' })).status, 401);
});

test('the address restrictions of a page ignore an X-Forwarded-For header that a client has sent', async ({
  locked,
}) => {
  await locked.change({ ip_restrictions: '127.0.0.7' });
  const headers = { 'x-forwarded-for': '127.0.0.7' };
  assert.is((await locked.visit('/status/acme', { headers })).status, 404);
  const shown = await locked.visit('/status/acme', { from: '127.0.0.7' });
  assert.ok(isShown(shown));
  assert.is(shown.headers['cache-control'], 'private, no-cache');
  await locked.change({ ip_restrictions: null });
  assert.ok(isShown(await locked.visit('/status/acme')));
});

test('a page that is hidden from search has a noindex header in each format, and can be stored in shared caches', async ({
  locked,
}) => {
  const before = await locked.visit('/status/acme');
  assert.is(before.headers['x-robots-tag'], undefined);
  assert.not.match(before.text, 'noindex');
  await locked.change({ hidden_from_search: true });
  const after = await locked.visit('/status/acme');
  assert.is(after.headers['x-robots-tag'], 'noindex, nofollow');
  assert.match(after.text, '<meta name="robots" content="noindex, nofollow"/>');
  assert.match(after.headers['cache-control'] ?? '', /^public, /);
});

test('display settings of a visitor are stored only for the page, and the form redirects back to the page', async ({
  locked,
}) => {
  const { visit, send } = locked;
  const fields = { language: 'fr', zone: 'utc', theme: 'dark', return: 'history' };
  const { status, headers } = await send('/status/acme/choices', fields);
  assert.equal([status, headers.location], [303, './history']);
  const set = headers['set-cookie'] ?? [];
  assert.is(set.length, 3);
  for (const cookie of set) assert.match(cookie, /; Path=\/status\/acme; Max-Age=34560000; SameSite=Lax$/);
  const cookie = set.map((one) => one.split(';')[0]).join('; ');
  assert.match((await visit('/status/acme', { cookie })).text, '<html lang="fr" dir="ltr" data-theme="dark">');
  assert.match((await visit('/status/acme?lang=de', { cookie })).text, '<html lang="de"');
  const forgotten = await send('/status/acme/choices', { theme: 'x; Domain=evil.test', language: '' });
  for (const one of forgotten.headers['set-cookie'] ?? [])
    assert.match(one, /^uptrail-(?:theme|language)=; Path=\/status\/acme; Max-Age=0; SameSite=Lax$/);
});

test('a visitor of a public page gets no cookie', async ({ locked }) => {
  for (const path of ['/status/acme', '/status/acme/x', '/status/acme?lang=de'])
    assert.is((await locked.visit(path)).headers['set-cookie'], undefined);
});

test('forms of a page are rate limited by address, without affecting other addresses', async ({ locked }) => {
  const send = (from: string) => locked.send('/status/acme/choices', {}, { from });
  for (let sent = 0; sent < 300; sent++) assert.is((await send('127.0.0.3')).status, 303);
  const late = await send('127.0.0.3');
  assert.is(late.status, 429);
  assert.ok(late.headers['retry-after']);
  assert.is((await send('127.0.0.4')).status, 303);
});

test.run();
