import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService, type Service } from '../../service.ts';
import { login, PASSWORD, storeUser, refresh, signedIn, type Tokens } from './signed-in-user.ts';

const test = suite('signing in');
let service: Service;
test.before(async () => {
  service = await startService();
});
test.after(() => service.stop());

const works = async (token: string): Promise<boolean> => {
  const { status } = await service.request('GET', '/v1/checks', { key: token });
  return status === 200;
};

test('signing in returns the user and tokens that work like a key, raw or with Bearer', async () => {
  const { id, email } = await storeUser(service, 'ann');
  const { access_token, refresh_token, token_type, expires_in, user } = await signedIn(service, ` ANN@example.com`);
  assert.match(access_token, /^uta_[\w-]{43}$/);
  assert.match(refresh_token, /^utr_[\w-]{86}$/);
  assert.equal([token_type, expires_in], ['Bearer', 900]);
  assert.equal([user['id'], user['email'], user['is_first_login']], [id, email, true]);
  assert.ok(await works(access_token));
  assert.ok(await works(`Bearer ${access_token}`));
  assert.not.ok(await works(refresh_token));
});

test('a failed sign-in does not reveal whether the e-mail address or the password is wrong', async () => {
  const { email } = await storeUser(service, 'bob');
  const wrong = await login(service, email, 'another password');
  const unknown = await login(service, 'nobody@example.com', 'another password');
  assert.is(wrong.status, 401);
  assert.equal([unknown.status, unknown.text], [wrong.status, wrong.text]);
  assert.equal(Object.keys(unknown.headers).sort(), Object.keys(wrong.headers).sort());
});

test('two sign-ins with the same Idempotency-Key get different tokens, because neither tokens nor a hash of the password are stored', async () => {
  const { email } = await storeUser(service, 'cleo');
  const headers = { 'Idempotency-Key': 'cleo' };
  const body = { email, password: PASSWORD };
  const [one, other] = [1, 2].map(() => service.request('POST', '/v1/login', { key: null, body, headers }));
  const tokens = [(await one)?.json(), (await other)?.json()] as Tokens[];
  assert.is.not(tokens[0]?.access_token, tokens[1]?.access_token);
});

test('signing in ignores a token in the request', async () => {
  const { email } = await storeUser(service, 'dora');
  const { access_token } = await signedIn(service, email);
  const again = await service.request('POST', '/v1/login', { key: access_token, body: { email, password: PASSWORD } });
  assert.is.not((again.json() as Tokens).access_token, access_token);
  const fixed = `uta_${'A'.repeat(43)}`;
  await service.request('POST', '/v1/login', { key: fixed, body: { email, password: PASSWORD } });
  assert.not.ok(await works(fixed));
});

test('access tokens expire after 15 minutes and can be refreshed for 30 days', async () => {
  const { email } = await storeUser(service, 'emil');
  const first = await signedIn(service, email);
  service.time.now += 15 * 60_000;
  assert.not.ok(await works(first.access_token));
  const second = (await refresh(service, first.refresh_token)).json() as Tokens;
  assert.ok(await works(second.access_token));
  assert.is.not(second.refresh_token, first.refresh_token);
  service.time.now += 30 * 86_400_000;
  assert.is((await refresh(service, second.refresh_token)).status, 401);
});

test('a refresh repeated within ten seconds gets the same tokens, also concurrently', async () => {
  const { email } = await storeUser(service, 'fred');
  const { refresh_token } = await signedIn(service, email);
  const [one, other] = await Promise.all([refresh(service, refresh_token), refresh(service, refresh_token)]);
  const pair = one.json() as Tokens;
  assert.equal(pair, other.json());
  service.time.now += 9_000;
  const late = (await refresh(service, refresh_token)).json() as Tokens;
  assert.equal([late.access_token, late.refresh_token], [pair.access_token, pair.refresh_token]);
  assert.is((await refresh(service, pair.refresh_token)).status, 200);
});

test('a refresh token that is used again after more than ten seconds ends the session', async () => {
  const { email } = await storeUser(service, 'gina');
  const first = await signedIn(service, email);
  const second = (await refresh(service, first.refresh_token)).json() as Tokens;
  service.time.now += 11_000;
  assert.is((await refresh(service, first.refresh_token)).status, 401);
  assert.not.ok(await works(second.access_token));
  assert.is((await refresh(service, second.refresh_token)).status, 401);
});

test('signing out with the access token or the refresh token makes both invalid', async () => {
  const { email } = await storeUser(service, 'hans');
  for (const by of ['access_token', 'refresh_token'] as const) {
    const tokens = await signedIn(service, email);
    assert.is((await service.request('POST', '/v1/logout', { key: tokens[by] })).status, 204);
    assert.not.ok(await works(tokens.access_token));
    assert.is((await refresh(service, tokens.refresh_token)).status, 401);
    assert.is((await service.request('POST', '/v1/logout', { key: tokens[by] })).status, 401);
  }
});

test('sessions are listed and ended by their user and by admins', async () => {
  const ida = await storeUser(service, 'ida');
  const path = `/v1/users/${ida.id}/sessions`;
  const one = await signedIn(service, ida.email);
  const other = await signedIn(service, ida.email, '127.0.0.7');
  const listed = (await service.request('GET', path, { key: one.access_token })).json() as Record<string, unknown>[];
  assert.equal(listed.map(({ ip_address, current }) => [ip_address, current]).sort(), [
    ['127.0.0.1', true],
    ['127.0.0.7', false],
  ]);
  assert.is((await service.request('DELETE', path, { key: one.access_token })).status, 204);
  assert.not.ok(await works(other.access_token));
  assert.ok(await works(one.access_token));

  const editor = await signedIn(service, (await storeUser(service, 'otto')).email);
  assert.is((await service.request('GET', path, { key: editor.access_token })).status, 403);
  assert.is((await service.request('GET', path, { key: service.second.keys.admin })).status, 404);
  const { id } = listed.find(({ current }) => current) ?? {};
  const one_session = `${path}/${String(id)}`;
  assert.is((await service.request('DELETE', one_session, { key: editor.access_token })).status, 403);
  assert.is((await service.request('DELETE', one_session, { key: service.first.keys.admin })).status, 204);
  assert.not.ok(await works(one.access_token));
  assert.is((await service.request('DELETE', one_session, { key: service.first.keys.admin })).status, 404);
});

test('the oldest session of a user ends when the user starts the 101st session', async () => {
  const { id, email } = await storeUser(service, 'jan');
  const first = await signedIn(service, email);
  for (let n = 0; n < 100; n++) {
    service.time.now += 1;
    await signedIn(service, email);
  }
  const listed = await service.request('GET', `/v1/users/${id}/sessions`, { key: service.first.keys.admin });
  assert.is((listed.json() as unknown[]).length, 100);
  assert.not.ok(await works(first.access_token));
});

test('the sessions of a removed user end immediately', async () => {
  const { id, email } = await storeUser(service, 'kim');
  const { access_token, refresh_token } = await signedIn(service, email);
  await service.request('DELETE', `/v1/users/${id}`, { key: service.first.keys.admin });
  assert.not.ok(await works(access_token));
  assert.is((await refresh(service, refresh_token)).status, 401);
  assert.is((await login(service, email)).status, 401);
});

test.run();
