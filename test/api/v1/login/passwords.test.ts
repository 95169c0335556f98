import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inviteUser } from '../../../../commands/organizations/users.ts';
import { invitationPath, resetPath, type LinkPurpose } from '../../../../domain/organization/user-links.ts';
import { instantOf } from '../../../../domain/time.ts';
import { tokenOfLink } from '../../../account-links.ts';
import { codeAt } from '../../../authenticator.ts';
import { startService, type Service } from '../../service.ts';
import { postFrom, login, PASSWORD, storeUser, refresh, signedIn, withSecondFactor } from './signed-in-user.ts';

const test = suite('passwords and second factors of users');
let service: Service;
test.before(async () => {
  service = await startService();
});
test.after(() => service.stop());

const OTHER = 'another-tuba-4217';
const mac = (kind: string, text: string): Promise<string> => service.keys.fingerprint(kind, text);
const reset = (token: string, new_password: string, more: object = {}) =>
  postFrom(service, '127.0.0.1', '/v1/users/reset-password', { token, new_password, ...more });
const ask = (email: string, address = '127.0.0.1') =>
  postFrom(service, address, '/v1/users/request-password-reset', { email });
const change = (key: string, old_password: string, new_password: string) =>
  service.request('POST', '/v1/users/change-password', { key, body: { old_password, new_password } });

/** Returns the token of a password reset link. */
const resetToken = async (userId: string, number: number, way: LinkPurpose = 'mailed'): Promise<string> => {
  const link = { organizationId: service.first.id, userId, reset: number, way };
  return tokenOfLink(await resetPath(link, instantOf(service.time.now), mac));
};

test('changing the password ends all other sessions, and only the new password works', async () => {
  const { email } = await storeUser(service, 'anton');
  const [here, there] = [await signedIn(service, email), await signedIn(service, email)];
  assert.is((await change(here.access_token, 'wrong-password', OTHER)).status, 422);
  const weak = await change(here.access_token, PASSWORD, 'password1');
  assert.is(weak.status, 422);
  assert.ok('new_password' in (weak.json() as { errors: { json: object } }).errors.json);
  assert.is((await change(here.access_token, PASSWORD, email)).status, 422);
  assert.is((await change(here.access_token, PASSWORD, OTHER)).status, 200);
  assert.is((await refresh(service, there.refresh_token)).status, 401);
  assert.is((await refresh(service, here.refresh_token)).status, 200);
  assert.is((await login(service, email, PASSWORD)).status, 401);
  assert.is((await login(service, email, OTHER)).status, 200);
});

test('the present password cannot be guessed by attempts to change it', async () => {
  const { email } = await storeUser(service, 'berta');
  const { access_token } = await signedIn(service, email);
  const all: number[] = [];
  for (let n = 0; n < 12; n++) all.push((await change(access_token, `guess ${n}`, OTHER)).status);
  assert.is(all.at(0), 422);
  assert.is(all.at(-1), 429);
});

test('requesting a reset gets the same response for known and unknown users', async () => {
  const { id, email } = await storeUser(service, 'cesar');
  const [known, unknown] = [await ask(email), await ask('nobody-cesar@example.com')];
  assert.equal([known.status, known.text], [200, unknown.text]);
  assert.equal(Object.keys(known.headers).sort(), Object.keys(unknown.headers).sort());
  const events = await service.stores.main.readStream(`organization-${service.first.id}`, { from: 0n, limit: 1_000 });
  const resets = events.filter(
    ({ type, data }) => type === 'PasswordResetRequested' && (data as { user_id: string }).user_id === id,
  );
  assert.is(resets.length, 1);
});

test('password resets are limited per account without a visible refusal, and per client address with a refusal', async () => {
  const { id, email } = await storeUser(service, 'doris');
  for (let n = 0; n < 5; n++) assert.is((await ask(email, `127.2.0.${n + 1}`)).status, 200);
  const events = await service.stores.main.readStream(`organization-${service.first.id}`, { from: 0n, limit: 1_000 });
  const resets = events.filter(
    ({ type, data }) => type === 'PasswordResetRequested' && (data as { user_id: string }).user_id === id,
  );
  assert.is(resets.length, 3);
  const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(`n${n}@example.com`, '127.3.0.1')));
  assert.equal(replies.filter(({ status }) => status === 429).length, 2);
});

test('a password reset works once, ends all sessions, keeps the second factor, and is void after a later reset is requested', async () => {
  const { id, email } = await storeUser(service, 'ernst');
  const { access_token, refresh_token } = await signedIn(service, email);
  const { secret } = await withSecondFactor(service, access_token);
  await ask(email);
  await ask(email);
  assert.is((await reset(await resetToken(id, 1), OTHER)).status, 422);
  const token = await resetToken(id, 2);
  assert.is((await reset(token, 'short')).status, 422);
  assert.is((await reset(token, OTHER)).status, 200);
  assert.is((await reset(token, 'yet-another-4217')).status, 422);
  assert.is((await refresh(service, refresh_token)).status, 401);
  const { challenge } = (await login(service, email, OTHER)).json() as { challenge: string };
  service.time.now += 30_000;
  const code = codeAt(secret, service.time.now);
  assert.is((await postFrom(service, '127.0.0.1', '/v1/login/totp', { challenge, code })).status, 200);
});

test('a mailed reset link verifies the e-mail address, and a reset link shown to an operator does not', async () => {
  const { id, email } = await storeUser(service, 'dagmar');
  const isVerified = async (): Promise<unknown> => {
    const read = await service.request('GET', `/v1/users/${id}`, { key: service.first.keys.admin });
    return (read.json() as Record<string, unknown>)['email_verified'];
  };
  await ask(email);
  assert.is((await reset(await resetToken(id, 1, 'shown'), OTHER)).status, 200);
  assert.is(await isVerified(), false);
  await ask(email);
  assert.is((await reset(await resetToken(id, 2), OTHER)).status, 200);
  assert.is(await isVerified(), true);
});

test('a password reset expires after an hour and after a change of the password', async () => {
  const { id, email } = await storeUser(service, 'flora');
  const { access_token } = await signedIn(service, email);
  await ask(email);
  const token = await resetToken(id, 1);
  assert.is((await change(access_token, PASSWORD, OTHER)).status, 200);
  assert.is((await reset(token, 'yet-another-4217')).status, 422);
  await ask(email);
  const late = await resetToken(id, 2);
  service.time.now += 3_600_000;
  assert.is((await reset(late, 'yet-another-4217')).status, 422);
});

test('a password reset is void after the user was removed, even if the e-mail address now belongs to another user', async () => {
  const { id, email } = await storeUser(service, 'frieda');
  await ask(email);
  const token = await resetToken(id, 1);
  assert.is((await service.request('DELETE', `/v1/users/${id}`, { key: service.first.keys.admin })).status, 204);
  assert.is((await reset(token, OTHER)).status, 422);
  await storeUser(service, 'Frieda');
  assert.is((await reset(token, OTHER)).status, 422);
  assert.is((await login(service, email)).status, 200);
});

test('an invitation is accepted with its token and a valid password', async () => {
  const context = service.context(service.first.id, 'invite gustav');
  const { userId } = await service.commands.bind(inviteUser)({ email: 'gustav@example.com', role: 'viewer' }, context);
  await service.readers.waitFor(['organizations'], context);
  assert.is((await login(service, 'gustav@example.com')).status, 401);
  const link = { organizationId: service.first.id, userId, invitation: 1, way: 'mailed' } as const;
  const token = tokenOfLink(await invitationPath(link, instantOf(service.time.now), mac));
  const weak = await reset(token, '12345678');
  assert.equal(Object.keys((weak.json() as { errors: { json: object } }).errors.json), ['new_password']);
  assert.is((await reset(token, PASSWORD, { first_name: 'Gustav' })).status, 200);
  assert.is((await reset(token, OTHER)).status, 422);
  // A client whose response was lost repeats the request.
  assert.is((await reset(token, PASSWORD, { first_name: 'Gustav' })).status, 200);
  const { user } = await signedIn(service, 'gustav@example.com');
  assert.equal([user['first_name'], user['status']], ['Gustav', 'active']);
});

test('the link of an accepted invitation cannot be used to guess the password', async () => {
  const context = service.context(service.first.id, 'invite gerda');
  const { userId } = await service.commands.bind(inviteUser)({ email: 'gerda@example.com', role: 'viewer' }, context);
  const link = { organizationId: service.first.id, userId, invitation: 1, way: 'shown' } as const;
  const token = tokenOfLink(await invitationPath(link, instantOf(service.time.now), mac));
  assert.is((await reset(token, PASSWORD)).status, 200);
  const all: number[] = [];
  for (let n = 0; n < 12; n++) all.push((await reset(token, `guess number ${n}`)).status);
  assert.equal([all.at(0), all.at(-1)], [422, 429]);
  assert.is((await reset(token, PASSWORD)).status, 429);
});

test('a second factor is set up with a QR code, required at sign-in, and removed with password and code', async () => {
  const { email } = await storeUser(service, 'helga');
  const { access_token } = await signedIn(service, email);
  const key = access_token;
  const confirm = (code: string) => service.request('POST', '/v1/users/totp/confirm', { key, body: { code } });
  assert.is((await confirm('123456')).status, 400);
  assert.is((await service.request('POST', '/v1/users/totp', { key, body: { password: 'wrong' } })).status, 422);
  const { secret, otpauth_url } = await withSecondFactor(service, access_token);
  assert.match(otpauth_url, /^otpauth:\/\/totp\/Uptrail:helga%40example\.com\?/);
  assert.is((await service.request('POST', '/v1/users/totp', { key, body: {} })).status, 400);
  const challenge = (await login(service, email)).json() as Record<string, unknown>;
  assert.equal(Object.keys(challenge).sort(), ['challenge', 'requires_2fa']);

  const remove = (password: string, code: string) =>
    service.request('DELETE', '/v1/users/totp', { key, body: { password, code } });
  const code = codeAt(secret, service.time.now);
  assert.is((await remove('wrong', code)).status, 422);
  assert.is((await remove(PASSWORD, '000000')).status, 422);
  assert.is((await remove(PASSWORD, code)).status, 204);
  assert.is((await remove(PASSWORD, code)).status, 400);
  await signedIn(service, email);
});

test('an API key cannot manage passwords, sessions or second factors', async () => {
  for (const path of ['/v1/users/change-password', '/v1/users/totp', '/v1/users/totp/confirm']) {
    const reply = await service.request('POST', path, { key: service.first.keys.admin, body: {} });
    assert.is(reply.status, 403, path);
  }
});

test('passwords may have up to 1,000 characters of any script', async () => {
  const { email } = await storeUser(service, 'ilse');
  const { access_token } = await signedIn(service, email);
  const long = `tüba${'🎺'.repeat(996)}`;
  assert.is((await change(access_token, PASSWORD, `${long}x`)).status, 422);
  assert.is((await change(access_token, PASSWORD, `${long.slice(0, 20)}\u0000`)).status, 422);
  assert.is((await change(access_token, PASSWORD, long)).status, 200);
  assert.is((await login(service, email, long)).status, 200);
  assert.is((await login(service, email, long.replace('ü', 'u'))).status, 401);
  assert.is((await login(service, email, 'x'.repeat(2_001))).status, 422);
});

test.run();
