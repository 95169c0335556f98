import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeAt } from '../../authenticator.ts';
import { PASSWORD, signedIn, withSecondFactor } from '../../api/v1/login/signed-in-user.ts';
import { cookiesOf, isShown, startProtectedSite, titleOf, type ProtectedSite } from './protected-site.ts';

const test = suite<{ locked: ProtectedSite }>('status pages for members of the organization');

test.before.each(async (context) => {
  context.locked = await startProtectedSite({ viewers_must_be_team_members: true });
});
test.after.each(({ locked }) => locked.service.stop());

const signIn = (locked: ProtectedSite, email: string, password = PASSWORD) =>
  locked.send('/status/acme/sign-in', { email, password, return: 'history' });

test('a page for members requires an account of the organization with any role', async ({ locked }) => {
  const { visit, person, service } = locked;
  const form = await visit('/status/acme/history');
  assert.equal([form.status, titleOf(form)], [401, 'Sign in to see this page']);
  for (const role of ['viewer', 'editor', 'admin', 'billing']) {
    const { email } = await person(role, service.first.id, role);
    const reply = await signIn(locked, email);
    assert.equal([reply.status, reply.headers.location], [303, './history'], reply.text);
    assert.ok(isShown(await visit('/status/acme', { cookie: cookiesOf(reply) })), role);
  }
});

test('a page for members responds to accounts of other organizations as to wrong passwords', async ({ locked }) => {
  const { person, service } = locked;
  const { email } = await person('own', service.first.id);
  const other = await person('other', service.second.id);
  const problem = ({ text }: { text: string }) => /role="alert"[^>]*>([^<]*)/.exec(text)?.[1];
  for (const [given, password] of [
    [email, 'wrong password 1'],
    [other.email, PASSWORD],
    ['nobody@example.com', PASSWORD],
    ['', ''],
  ] as const) {
    const reply = await signIn(locked, given, password);
    assert.equal([reply.status, problem(reply)], [401, 'The e-mail or the password is wrong.'], given);
    assert.is(reply.headers['set-cookie'], undefined);
  }
});

test('a page for members requires the second factor of an account that has one, and rejects challenges of other organizations', async ({
  locked,
}) => {
  const { visit, send, person, service } = locked;
  const { email } = await person('ann', service.first.id);
  const { secret } = await withSecondFactor(service, (await signedIn(service, email)).access_token);
  const prompt = await signIn(locked, email);
  assert.equal([prompt.status, titleOf(prompt)], [401, 'Enter your code']);
  const [, challenge = ''] = /name="challenge" value="([^"]+)"/.exec(prompt.text) ?? [];
  const wrong = await send('/status/acme/sign-in', { challenge, code: '000000' });
  assert.equal([wrong.status, titleOf(wrong)], [401, 'Enter your code']);
  const right = await send('/status/acme/sign-in', { challenge, code: codeAt(secret, service.time.now), return: 'a' });
  assert.equal([right.status, right.headers.location], [303, './a']);
  assert.ok(isShown(await visit('/status/acme', { cookie: cookiesOf(right) })));

  const stranger = await person('stranger', service.second.id);
  const theirs = await withSecondFactor(service, (await signedIn(service, stranger.email)).access_token);
  const login = await service.request('POST', '/v1/login', {
    key: null,
    body: { email: stranger.email, password: PASSWORD },
  });
  const { challenge: foreign } = login.json() as { challenge: string };
  const code = codeAt(theirs.secret, service.time.now);
  const refused = await send('/status/acme/sign-in', { challenge: foreign, code });
  assert.equal([refused.status, refused.headers['set-cookie']], [401, undefined]);
  // The rejected attempt did not use up the code.
  assert.is(
    (await service.request('POST', '/v1/login/totp', { key: null, body: { challenge: foreign, code } })).status,
    200,
  );
});

test('signing in to a page for members sets a cookie for only that page, which grants no access to the API', async ({
  locked,
}) => {
  const { visit, send, person, service } = locked;
  await service.request('POST', '/v1/pages', {
    body: { name: 'Other', subdomain: 'other', viewers_must_be_team_members: true },
  });
  const { email } = await person('ann', service.first.id, 'admin');
  const reply = await send('/sign-in', { email, password: PASSWORD }, { host: 'acme.status.example' });
  const [cookie = ''] = reply.headers['set-cookie'] ?? [];
  assert.match(cookie, /; Path=\/; Max-Age=2592000; SameSite=Lax; HttpOnly$/);
  const pair = cookiesOf(reply);
  assert.ok(isShown(await visit('/', { host: 'acme.status.example', cookie: pair })));
  assert.is((await visit('/status/other', { cookie: pair })).status, 401);
  const token = decodeURIComponent(pair.slice(pair.indexOf('=') + 1));
  assert.is((await service.request('GET', '/v1/pages', { key: token })).status, 401);
});

test('access to a page for members ends with sign-out, removal of the user, a new password, and the end of the session', async ({
  locked,
}) => {
  const { visit, send, person, service } = locked;
  const { admin } = service.first.keys;
  const { email, id } = await person('ann', service.first.id);
  const enter = async (): Promise<string> => {
    const cookie = cookiesOf(await signIn(locked, email));
    assert.ok(isShown(await visit('/status/acme', { cookie })));
    return cookie;
  };
  const isOut = async (cookie: string): Promise<boolean> => (await visit('/status/acme', { cookie })).status === 401;

  const first = await enter();
  const out = await send('/status/acme/sign-out', {}, { cookie: first });
  assert.equal([out.status, out.headers.location, cookiesOf(out)], [303, './', '']);
  assert.ok(await isOut(first), 'the cookie that somebody has copied');

  const second = await enter();
  const { access_token } = await signedIn(service, email);
  const changed = await service.request('POST', '/v1/users/change-password', {
    key: access_token,
    body: { old_password: PASSWORD, new_password: 'another-4217-mouth' },
  });
  assert.ok(changed.status < 300, changed.text);
  assert.ok(await isOut(second));

  const third = cookiesOf(await signIn(locked, email, 'another-4217-mouth'));
  assert.not(await isOut(third));
  await service.request('DELETE', `/v1/users/${id}`, { key: admin });
  assert.ok(await isOut(third));
});

test('pages for members are protected in every format and hidden from search, until they are made public', async ({
  locked,
}) => {
  const { visit, change } = locked;
  const json = await visit('/status/acme/x', { headers: { accept: 'application/json' } });
  assert.equal([json.status, (json.json() as { code: number }).code], [401, 401]);
  assert.match((await visit('/status/acme')).text, '<meta name="robots" content="noindex, nofollow"/>');
  await change({ viewers_must_be_team_members: false });
  assert.ok(isShown(await visit('/status/acme')));
  assert.is((await locked.send('/status/acme/sign-in', { email: 'a', password: 'b' })).status, 404);
  await change({ viewers_must_be_team_members: true });
  assert.is((await visit('/status/acme')).status, 401);
});

test.run();
