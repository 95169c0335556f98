import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeAt } from '../../../authenticator.ts';
import type { Reply } from '../../http.ts';
import { startService, type Service } from '../../service.ts';
import { PASSWORD, storeUser, signedIn, withSecondFactor, type Tokens } from '../login/signed-in-user.ts';
import { createBrowser, cookieFrom } from './browser.ts';

const test = suite('sessions of browsers');
let service: Service;
test.before(async () => {
  service = await startService();
});
test.after(() => service.stop());

interface Session {
  access_token: string;
  token_type: string;
  expires_in: number;
  user: { id: string; email: string };
}

const REFRESH = '/v1/session/refresh';
const sessionIn = (reply: Reply): Session | null => {
  assert.is(reply.status, 200, reply.text);
  return (reply.json() as { session: Session | null }).session;
};
const works = async (token: string | undefined): Promise<boolean> => {
  const { status } = await service.request('GET', '/v1/checks', { key: token ?? '' });
  return status === 200;
};
const signedInBrowser = async (name: string, origin?: string) => {
  const person = await storeUser(service, name);
  const browser = createBrowser(service, origin);
  const reply = await browser.post('/v1/session/login', { email: person.email, password: PASSWORD });
  assert.is(reply.status, 200, reply.text);
  return { ...person, browser, reply, session: reply.json() as Session };
};

test('a browser session stores the refresh token in a cookie that no script and no other site can read', async () => {
  const { reply, session, id } = await signedInBrowser('ann');
  assert.equal(Object.keys(session).sort(), ['access_token', 'expires_in', 'operates_service', 'token_type', 'user']);
  assert.is(session.user.id, id);
  assert.is((session as Session & { operates_service: boolean }).operates_service, false);
  assert.ok(await works(session.access_token));
  const { name, value, attributes } = cookieFrom(reply);
  assert.match(name, /^uptrail-refresh-[\w]{8}$/);
  assert.match(value, /^utr_[\w-]{86}$/);
  assert.equal(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'SameSite=Strict', 'Secure']);
});

test('the session cookie is Secure over https and on loopback, behind any proxy, and not on other networks', async () => {
  const kept = async (origin: string, headers: Record<string, string> = {}) => {
    const { email } = await storeUser(service, `at-${origin.replace(/\W/g, '-')}`);
    const body = { email, password: PASSWORD };
    const reply = await createBrowser(service, origin).send('POST', '/v1/session/login', { body, headers });
    assert.is(reply.status, 200, reply.text);
    const { name, attributes } = cookieFrom(reply);
    return [name.startsWith('__Secure-'), attributes.includes('Secure')];
  };
  assert.equal(await kept('https://status.example'), [true, true]);
  assert.equal(await kept('https://proxied.example', { host: '127.0.0.1:3000' }), [true, true]);
  assert.equal(await kept('http://localhost:3000'), [false, true]);
  assert.equal(await kept('http://[::1]:3000'), [false, true]);
  assert.equal(await kept('http://192.168.1.5:3000'), [false, false]);
  const safari = {
    'user-agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
  };
  assert.equal(await kept('http://localhost:3001', safari), [false, false]);
});

test('two services on one host use session cookies with different names', async () => {
  const other = await startService();
  try {
    const { browser } = await signedInBrowser('ben');
    const { email } = await storeUser(other, 'ben');
    const reply = await createBrowser(other).post('/v1/session/login', { email, password: PASSWORD });
    assert.is.not(cookieFrom(reply).name, browser.cookie()?.name);
  } finally {
    await other.stop();
  }
});

test('a browser session continues by its cookie, which changes each time, until 30 days after the sign-in', async () => {
  const { browser, id } = await signedInBrowser('cleo');
  const before = browser.cookie()?.value;
  service.time.now += 15 * 60_000;
  const reply = await browser.post(REFRESH);
  const session = sessionIn(reply);
  assert.is(session?.user.id, id);
  assert.ok(await works(session?.access_token));
  assert.is.not(browser.cookie()?.value, before);
  assert.ok(cookieFrom(reply).attributes.includes(`Max-Age=${2_592_000 - 900}`));
  service.time.now += 30 * 86_400_000;
  assert.is(sessionIn(await browser.post(REFRESH)), null);
  assert.is(browser.cookie(), null);
});

test('a refresh without a session cookie responds with null and sets no cookie', async () => {
  const reply = await createBrowser(service).post(REFRESH);
  assert.is(sessionIn(reply), null);
  assert.is(reply.headers['set-cookie'], undefined);
  const wrong = createBrowser(service);
  const { browser } = await signedInBrowser('dora');
  for (const value of ['', 'x', `utr_${'A'.repeat(86)}`, '%E0%A4%A']) {
    wrong.put({ name: browser.cookie()?.name ?? '', value });
    assert.is(sessionIn(await wrong.post(REFRESH)), null);
  }
});

test('tabs share a browser session: concurrent and quickly repeated refreshes get the same tokens', async () => {
  const { browser } = await signedInBrowser('emil');
  service.time.now += 60_000;
  const old = browser.cookie();
  const first = createBrowser(service);
  const tabs = [first, ...Array.from({ length: 7 }, () => createBrowser(service))];
  for (const tab of tabs) tab.put(old);
  const tokens = (await Promise.all(tabs.map((tab) => tab.post(REFRESH)))).map((one) => sessionIn(one)?.access_token);
  assert.is(new Set(tokens).size, 1);
  // The page is reloaded ten times within ten seconds.
  for (let times = 0; times < 10; times++) {
    service.time.now += 500;
    assert.is(sessionIn(await first.post(REFRESH))?.access_token, tokens[0]);
  }
  assert.ok(await works(tokens[0]));
  service.time.now += 20_000;
  assert.is.not(sessionIn(await first.post(REFRESH))?.access_token, tokens[0]);
});

test('a browser session ends when a replaced cookie is used again after more than ten seconds', async () => {
  const { browser } = await signedInBrowser('fred');
  const thief = createBrowser(service);
  thief.put(browser.cookie());
  const stolen = sessionIn(await thief.post(REFRESH));
  service.time.now += 11_000;
  assert.is(sessionIn(await browser.post(REFRESH)), null);
  assert.not.ok(await works(stolen?.access_token));
  assert.is(sessionIn(await thief.post(REFRESH)), null);
});

test('after signing out, a stolen access token and a copied cookie do not work', async () => {
  const { browser, session } = await signedInBrowser('gina');
  const copied = browser.cookie();
  const reply = await browser.post('/v1/session/logout');
  assert.is(reply.status, 204);
  assert.is(browser.cookie(), null);
  assert.not.ok(await works(session.access_token));
  const thief = createBrowser(service);
  thief.put(copied);
  assert.is(sessionIn(await thief.post(REFRESH)), null);
  assert.is((await browser.post('/v1/session/logout')).status, 204);
});

test('a browser session ends when another sign-in happens in the same browser', async () => {
  const { browser, session } = await signedInBrowser('hans');
  const { email } = await storeUser(service, 'hanna');
  const reply = await browser.post('/v1/session/login', { email, password: PASSWORD });
  assert.not.ok(await works(session.access_token));
  assert.ok(await works((reply.json() as Session).access_token));
});

test('a browser session sets its cookie only after the second factor', async () => {
  const { email } = await storeUser(service, 'ida');
  const { secret } = await withSecondFactor(service, (await signedIn(service, email)).access_token);
  const browser = createBrowser(service);
  const first = await browser.post('/v1/session/login', { email, password: PASSWORD });
  assert.is(browser.cookie(), null);
  const { challenge } = first.json() as { challenge: string };
  assert.is((await browser.post('/v1/session/totp', { challenge, code: '000000' })).status, 401);
  const reply = await browser.post('/v1/session/totp', { challenge, code: codeAt(secret, service.time.now) });
  assert.is(reply.status, 200, reply.text);
  assert.match(browser.cookie()?.value ?? '', /^utr_/);
});

test('session routes refuse pages of other origins, with and without a cookie', async () => {
  const { browser, session, email } = await signedInBrowser('jan');
  const evil: Record<string, string>[] = [
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://other.localhost', 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': '' },
  ];
  const body = { email, password: PASSWORD, challenge: 'x', code: '1' };
  for (const headers of evil) {
    for (const path of ['login', 'totp', 'refresh', 'logout']) {
      const reply = await browser.send('POST', `/v1/session/${path}`, {
        headers,
        ...(path === 'login' || path === 'totp' ? { body } : {}),
      });
      assert.is(reply.status, 403, path);
      assert.is(reply.headers['set-cookie'], undefined);
      assert.is(reply.headers['access-control-allow-origin'], undefined);
    }
  }
  assert.ok(await works(session.access_token));
  // Browsers send `Origin` but no `Sec-Fetch-Site` over http, except on loopback.
  const lan = createBrowser(service, 'http://192.168.1.5:3000');
  const foreign = { origin: 'http://192.168.1.5:4000' };
  assert.is((await lan.send('POST', REFRESH, { headers: foreign })).status, 403);
  assert.is((await lan.send('POST', REFRESH)).status, 200);
});

test('a sign-in replaces an existing cookie, even one of another user', async () => {
  const other = await signedInBrowser('kim');
  const { email, id } = await storeUser(service, 'leo');
  const browser = createBrowser(service);
  browser.put(other.browser.cookie());
  await browser.post('/v1/session/login', { email, password: PASSWORD });
  assert.is.not(browser.cookie()?.value, other.browser.cookie()?.value);
  assert.is(sessionIn(await browser.post(REFRESH))?.user.id, id);
});

test('the session cookie is not accepted outside the session routes', async () => {
  const { browser } = await signedInBrowser('mia');
  assert.is((await browser.send('GET', '/v1/checks')).status, 401);
  assert.is((await browser.post('/v1/refresh')).status, 401);
  const { email } = await storeUser(service, 'nils');
  const reply = await service.request('POST', '/v1/login', { key: null, body: { email, password: PASSWORD } });
  assert.is(reply.headers['set-cookie'], undefined);
  const tokens = reply.json() as Tokens;
  const refreshed = await service.request('POST', '/v1/refresh', { key: tokens.refresh_token });
  const again = await service.request('POST', '/v1/refresh', { key: (refreshed.json() as Tokens).refresh_token });
  assert.is.not((again.json() as Tokens).access_token, (refreshed.json() as Tokens).access_token);
});

test.run();
