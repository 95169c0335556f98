import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { organizationDecider } from '../../../../domain/organization/state.ts';
import { resetPath } from '../../../../domain/organization/user-links.ts';
import { requestReset } from '../../../../domain/organization/user-passwords.ts';
import { instantOf } from '../../../../domain/time.ts';
import { pageOfLink } from '../../../account-links.ts';
import { startService, type ServiceRequest, type Service } from '../../service.ts';
import { eventually } from '../../../waiting.ts';
import { login, PASSWORD, storeUser, refresh, signedIn, withSecondFactor } from '../login/signed-in-user.ts';

const OTHER = 'another-tuba-4217';
const FORM = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
const test = suite('the account of a user');
let service: Service;
test.before(async () => {
  service = await startService({ mails: false });
});
test.after(() => service.stop());

const titleOf = (text: string): string => /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? '';
const fill = (link: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const asked: ServiceRequest = {
    key: null,
    headers: { ...FORM, ...headers },
    body: new URLSearchParams(fields).toString(),
  };
  return service.request('POST', link, asked);
};
const invitationOf = async (email: string): Promise<string> => {
  const body = { email, role: 'viewer' };
  const reply = await service.request('POST', '/v1/users/invite', { key: service.first.keys.admin, body });
  return pageOfLink((reply.json() as { invitation_url: string }).invitation_url);
};

test('with a session, PUT and PATCH of an account change the names of the user and nothing else', async () => {
  const { id, email } = await storeUser(service, 'paula');
  const { access_token: key } = await signedIn(service, email);
  const profile = async (method: string, body: object) => {
    const reply = await service.request(method, '/v1/users/profile', { key, body });
    return { status: reply.status, user: reply.json() as Record<string, unknown> };
  };
  const { user: named } = await profile('PATCH', { first_name: ' Paula\n', last_name: 'Ωmega' });
  assert.equal([named['id'], named['first_name'], named['last_name']], [id, 'Paula', 'Ωmega']);
  const { user: put } = await profile('PUT', { last_name: null, role: 'admin', email: 'x@example.com', id: 'x' });
  assert.equal(
    [put['first_name'], put['last_name'], put['role'], put['email'], put['id']],
    ['Paula', null, 'editor', email, id],
  );
  for (const wrong of ['', '   ', 'x'.repeat(51), '\u202e', 7]) {
    assert.is((await profile('PATCH', { first_name: wrong })).status, 422, JSON.stringify(wrong));
  }
  const read = await service.request('GET', '/v1/users/profile', { key });
  assert.equal(read.json(), put);
  assert.is(put['second_factor'], false);
  const { id: other, email: theirs } = await storeUser(service, 'olga');
  const { access_token: token } = await signedIn(service, theirs);
  await withSecondFactor(service, token);
  await eventually(async () => {
    const own = (await service.request('GET', '/v1/users/profile', { key: token })).json() as typeof put;
    return own['id'] === other && own['second_factor'] === true;
  });
  assert.is((await service.request('PATCH', '/v1/users/profile', { key: service.first.keys.admin })).status, 403);
});

test('the form of a reset link sets a new password once and ends all sessions', async () => {
  const { id, email } = await storeUser(service, 'quentin');
  const { refresh_token } = await signedIn(service, email);
  const { commands, keys } = service;
  const context = service.context(service.first.id, 'reset of quentin');
  const { handle } = commands.bind((parts) => parts);
  await handle(service.first.id, organizationDecider, (organization) => requestReset(organization, id), context);
  await service.readers.waitFor(['organizations', 'account_mails'], context);
  const mac = (kind: string, text: string) => keys.fingerprint(kind, text);
  const link = { organizationId: service.first.id, userId: id, reset: 1, way: 'mailed' } as const;
  const path = pageOfLink(await resetPath(link, instantOf(service.time.now), mac));
  const form = await service.request('GET', path, { key: null, headers: { accept: 'text/html' } });
  assert.equal([form.status, titleOf(form.text)], [200, 'Set a new password']);
  assert.match(form.text, email);
  const weak = await fill(path, { password: 'password1' });
  assert.equal([weak.status, weak.text.includes('commonly used password')], [422, true]);
  assert.not.match(weak.text, 'password1');
  const set = await fill(path, { password: OTHER });
  assert.equal([set.status, titleOf(set.text)], [200, 'Your password is set']);
  assert.is((await fill(path, { password: 'yet-another-4217' })).status, 410);
  assert.is((await refresh(service, refresh_token)).status, 401);
  assert.is((await login(service, email, PASSWORD)).status, 401);
  assert.is((await login(service, email, OTHER)).status, 200);
});

test('an invited user may send the form of the invitation twice, and no hash of the password is stored', async () => {
  const link = await invitationOf('rosa@example.com');
  const claimed: string[] = [];
  const { coordination } = service;
  const claim = coordination.claim.bind(coordination);
  coordination.claim = (id, fingerprint, now) => {
    claimed.push(fingerprint);
    return claim(id, fingerprint, now);
  };
  try {
    const fields = { first_name: 'Rosa', last_name: '', password: PASSWORD };
    const send = async () => titleOf((await fill(link, fields, { 'idempotency-key': 'rosa' })).text);
    assert.is(await send(), 'You have joined');
    assert.match(await send(), /^(You have joined|This invitation was accepted)$/);
  } finally {
    coordination.claim = claim;
  }
  assert.equal(claimed, []);
  assert.is((await login(service, 'rosa@example.com')).status, 200);
});

test.run();
