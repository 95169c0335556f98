import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cookiesOf, isShown, PROXY, startProtectedSite, titleOf, type ProtectedSite } from './protected-site.ts';

const test = suite<{ locked: ProtectedSite }>('status pages with a password');

const PASSWORD = 'open sesame 42';

test.before.each(async (context) => {
  context.locked = await startProtectedSite();
});
test.after.each(({ locked }) => locked.service.stop());

test('a page with a password shows a form until the visitor has entered the password', async ({ locked }) => {
  const { visit, send, lock } = locked;
  assert.ok(isShown(await visit('/status/acme')));
  await lock(PASSWORD, 'the cave <b>');
  const protectedForm = await visit('/status/acme/history?month=2026-11');
  assert.equal([protectedForm.status, titleOf(protectedForm)], [401, 'This page is protected']);
  assert.match(protectedForm.text, '<bdi>the cave &lt;b></bdi>');
  assert.match(protectedForm.text, 'action="./access"');
  assert.match(protectedForm.text, '<input type="hidden" name="return" value="history?month=2026-11"/>');

  const wrong = await send('/status/acme/access', { password: 'open barley 42', return: 'history?month=2026-11' });
  assert.is(wrong.status, 401);
  assert.match(wrong.text, '<p class="problem" role="alert" id="problem">The password is wrong.</p>');
  assert.match(wrong.text, 'value="./history?month=2026-11"');
  assert.is(wrong.headers['set-cookie'], undefined);

  const opened = await send('/status/acme/access', { password: PASSWORD, return: 'history?month=2026-11' });
  assert.equal([opened.status, opened.headers.location], [303, './history?month=2026-11']);
  const cookie = cookiesOf(opened);
  assert.ok(isShown(await visit('/status/acme', { cookie })));
  assert.ok(isShown(await visit('/status/acme/', { cookie })));
  assert.is((await visit('/status/acme/nothing', { cookie })).status, 404);
  assert.is((await visit('/status/acme/access', { cookie })).headers.location, './');
});

test('the password of a page sets a cookie for only that page, which scripts cannot read and which is Secure over https', async ({
  locked,
}) => {
  const { send, lock } = locked;
  await lock(PASSWORD);
  const set = async (path: string, going = {}): Promise<string> =>
    ((await send(path, { password: PASSWORD }, going)).headers['set-cookie'] ?? []).join('|').replace(/=utp_[^;]+/, '');
  const rest = 'SameSite=Lax; HttpOnly';
  assert.is(await set('/status/acme/access'), `uptrail-access; Path=/status/acme; Max-Age=86400; ${rest}`);
  const host = 'acme.status.example';
  assert.is(await set('/access', { host }), `uptrail-access; Path=/; Max-Age=86400; ${rest}`);
  const https = { 'x-forwarded-proto': 'https' };
  assert.match(await set('/access', { host, headers: https, from: PROXY }), /; Secure$/);
  assert.not.match(await set('/access', { host, headers: https }), /Secure/, 'nobody whom we trust has said so');
});

test('a token for the password of a page is also accepted in a header and in the URL, but only for that page', async ({
  locked,
}) => {
  const { service, visit, send, lock, pageId } = locked;
  await lock(PASSWORD);
  const json = { accept: 'application/json' };
  const verified = await service.request('POST', `/v1/pages/${pageId}/verify-password`, {
    key: null,
    body: { password: PASSWORD },
  });
  const { access_token: token } = verified.json() as { access_token: string };
  assert.ok(isShown(await visit('/status/acme', { headers: { authorization: `Bearer ${token}` } })));
  assert.ok(isShown(await visit(`/status/acme?token=${token}`)));
  assert.is((await visit(`/status/acme/x?token=${token}`, { headers: json })).status, 404);
  assert.is((await visit(`/status/acme?token=${token}x`)).status, 401);

  const other = await service.request('POST', '/v1/pages', { body: { name: 'Other', subdomain: 'other' } });
  const { id } = other.json() as { id: string };
  await service.request('POST', `/v1/pages/${id}/passwords`, { body: { name: 'one', password: PASSWORD } });
  assert.is((await visit(`/status/other?token=${token}`)).status, 401);
  const cookie = cookiesOf(await send('/status/acme/access', { password: PASSWORD }));
  assert.is((await visit('/status/other', { cookie })).status, 401);
});

test('a page with a password rejects requests without a password, in the format that the client accepts', async ({
  locked,
}) => {
  const { visit, lock } = locked;
  await lock(PASSWORD);
  const json = await visit('/status/acme/summary.json', { headers: { accept: 'application/json' } });
  assert.equal([json.status, (json.json() as { code: number }).code], [401, 401]);
  const text = await visit('/status/acme/badge.svg', { headers: { accept: 'image/svg+xml' } });
  assert.is(text.status, 401);
  assert.is(text.headers['content-type'], 'image/svg+xml; charset=utf-8');
  for (const { headers } of [json, text, await visit('/status/acme')]) {
    assert.is(headers['cache-control'], 'private, no-store');
    assert.is(headers['x-robots-tag'], 'noindex, nofollow');
    assert.is(headers['www-authenticate'], 'Bearer');
  }
});

test("a change of a page's password is in effect when the response is sent", async ({ locked }) => {
  const { service, visit, send, lock, pageId } = locked;
  const id = await lock(PASSWORD);
  const cookie = cookiesOf(await send('/status/acme/access', { password: PASSWORD }));
  assert.ok(isShown(await visit('/status/acme', { cookie })));
  const body = { password: 'another one 43' };
  await service.request('PATCH', `/v1/pages/${pageId}/passwords/${id}`, { body });
  assert.is((await visit('/status/acme', { cookie })).status, 401);
  await service.request('DELETE', `/v1/pages/${pageId}/passwords/${id}`);
  assert.ok(isShown(await visit('/status/acme')));
});

test('guesses of a page’s password are rate limited, however they are sent, and the response contains the time to wait', async ({
  locked,
}) => {
  const { send, lock } = locked;
  await lock(PASSWORD);
  const guess = () => send('/status/acme/access', { password: 'open barley 42' });
  for (let tries = 0; tries < 11; tries++) assert.is((await guess()).status, 401);
  const late = await send('/status/acme/access', { password: PASSWORD });
  assert.is(late.status, 429);
  assert.is(late.headers['retry-after'], '1');
  assert.match(late.text, 'Too many attempts. Try again in 1 second.');
  assert.match(late.text, '<form method="post"');
});

test("pages with a password cannot be stored in shared caches, and can't be framed", async ({ locked }) => {
  const { visit, send, lock, change } = locked;
  const open = await visit('/status/acme');
  assert.not.match(open.headers['cache-control'] ?? '', 'private');
  await lock(PASSWORD);
  await change({ allow_embedding: ['https://intranet.example'] });
  const cookie = cookiesOf(await send('/status/acme/access', { password: PASSWORD }));
  const shown = await visit('/status/acme', { cookie });
  assert.is(shown.headers['cache-control'], 'private, no-cache');
  assert.match(String(shown.headers['content-security-policy']), 'frame-ancestors https://intranet.example');
  assert.is(shown.headers['x-frame-options'], undefined);
  const form = await visit('/status/acme');
  assert.match(String(form.headers['content-security-policy']), "frame-ancestors 'none'");
  assert.match(String(form.headers['content-security-policy']), "script-src 'none'");
  assert.ok(form.headers['x-frame-options']);
  assert.not.match(form.text, '<script');
});

test('the password form redirects only to paths of its page', async ({ locked }) => {
  const { send, lock } = locked;
  await lock(PASSWORD);
  for (const [back, location] of [
    ['incidents/1?lang=de', './incidents/1?lang=de'],
    ['', './'],
    ['https://evil.test/', './'],
    ['//evil.test/', './'],
    ['/\\evil.test', './'],
    ['\\\\evil.test', './'],
    ['javascript:alert(1)', './'],
    ['../other', './'],
    ['%2e%2e/other', './'],
    ['a/../../other', './'],
    ['a\r\nSet-Cookie: x=y', './'],
    ['\thttps://evil.test', './'],
    ['a//evil.test', './a//evil.test'],
  ] as const) {
    for (const [path, host] of [
      ['/status/acme/access', 'localhost'],
      ['/access', 'acme.status.example'],
    ] as const) {
      const { status, headers } = await send(path, { password: PASSWORD, return: back }, { host });
      // On the page's own host, `..` cannot lead above the root.
      const expected = host === 'localhost' || !back.includes('other') ? location : './other';
      assert.equal([status, headers.location], [303, expected], `${host} ${back}`);
    }
  }
});

test('the password form is accepted only from the site of the page', async ({ locked }) => {
  const { send, lock } = locked;
  await lock(PASSWORD);
  const sent = async (headers: Record<string, string>, host = 'acme.status.example'): Promise<number> =>
    (await send('/access', { password: PASSWORD }, { host, headers })).status;
  for (const site of ['cross-site', 'same-site', 'nonsense'])
    assert.is(await sent({ 'sec-fetch-site': site }), 403, site);
  assert.is(await sent({ 'sec-fetch-site': 'none' }), 303);
});

test.run();
