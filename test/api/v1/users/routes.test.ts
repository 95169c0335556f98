import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUser } from '../../../../commands/organizations/users.ts';
import { organizationDecider } from '../../../../domain/organization/state.ts';
import { signedToken } from '../../../../domain/signed-token.ts';
import { plansOf, SELF_HOSTED } from '../../../../domain/organization/plans.ts';
import { instantOf } from '../../../../domain/time.ts';
import { requestReset } from '../../../../domain/organization/user-passwords.ts';
import { INVITATION, PASSWORD_RESET, resetPath } from '../../../../domain/organization/user-links.ts';
import { pageOfLink, tokenOfLink } from '../../../account-links.ts';
import { signInAs } from '../../users.ts';
import { startService, type Service } from '../../service.ts';

interface User {
  id: string;
  email: string;
  role: string;
  status: string;
}

const PASSWORD = 'a long walk home';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const test = suite<{ service: Service }>('users over HTTP');

test.before.each(async (context) => {
  context.service = await startService({ mails: false });
});
test.after.each(({ service }) => service.stop());

const invite = async (service: Service, body: object, key = service.first.keys.admin) =>
  service.request('POST', '/v1/users/invite', { key, body });
const users = async (service: Service, query = ''): Promise<User[]> =>
  (await service.request('GET', `/v1/users${query}`)).json() as User[];
const linkFor = async (service: Service, email: string, role = 'editor'): Promise<string> =>
  pageOfLink(((await invite(service, { email, role })).json() as { invitation_url: string }).invitation_url);
const titleOf = (text: string): string => /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? '';
const page = async (service: Service, link: string, body?: string) => {
  const reply = await service.request(body === undefined ? 'GET' : 'POST', link, {
    key: null,
    headers: { accept: 'text/html', ...(body !== undefined && FORM) },
    ...(body !== undefined && { body }),
  });
  return { status: reply.status, title: titleOf(reply.text), text: reply.text, headers: reply.headers };
};
const accept = (service: Service, link: string, password = PASSWORD) =>
  page(service, link, new URLSearchParams({ first_name: 'Ann', last_name: '', password }).toString());
const settled = async (service: Service): Promise<void> => {
  const position = await service.stores.main.readAll({ after: 0n }).then((all) => all.at(-1)?.position ?? 0n);
  const types = new Map([['UserRoleChanged', position]]);
  await service.readers.waitFor(['organizations', 'account_mails'], { appended: new Map([['main', types]]) });
};
/** Creates an active user as the operator does. */
const made = async (service: Service, email: string, role: string): Promise<string> => {
  const context = service.context(service.first.id, email);
  const input = { email, role, password: PASSWORD, first_name: null, last_name: null };
  const id = await service.commands.bind(createUser)(input, context);
  await service.readers.waitFor(['organizations'], context);
  return id;
};

test('a user accepts an invitation by its link on a page without scripts', async ({ service }) => {
  const invited = await invite(service, {
    email: 'Ann@Example.com',
    role: 'editor',
    status: 'active',
    first_name: 'X',
  });
  assert.is(invited.status, 200);
  const { invitation_url: url } = invited.json() as { invitation_url: string };
  assert.match(url, /^\/console\/invitation#token=/);
  const link = pageOfLink(url);
  const [user] = await users(service);
  assert.equal([user?.email, user?.role, user?.status], ['Ann@example.com', 'editor', 'invited']);

  const asked = await page(service, link);
  assert.equal([asked.status, asked.title], [200, 'Accept the invitation']);
  assert.is(asked.headers['cache-control'], 'no-store');
  assert.is(asked.headers['referrer-policy'], 'no-referrer');
  assert.not.match(asked.text, /<script|<style|style=| on\w+=/);
  assert.is((await accept(service, link, 'short')).status, 422);
  assert.match((await accept(service, link, 'password1')).text, 'commonly used password');

  assert.equal((await accept(service, link)).title, 'You have joined');
  await settled(service);
  const read = await service.request('GET', `/v1/users/${user?.id ?? ''}`);
  const { first_name, last_name, status, email_verified, is_first_login, last_login, ...rest } = read.json() as Record<
    string,
    unknown
  >;
  assert.equal(
    [first_name, last_name, status, email_verified, is_first_login, last_login],
    ['Ann', null, 'active', false, true, null],
  );
  assert.equal(Object.keys(rest).sort(), ['created_at', 'email', 'id', 'organization_id', 'role', 'updated_at']);
  assert.equal(
    [(await page(service, link)).title, (await accept(service, link)).title],
    ['This invitation was accepted', 'This invitation was accepted'],
  );
});

test('the purpose of a link can be looked up with its token before the link is used', async ({ service }) => {
  const purposeOf = async (token: string) => {
    const reply = await service.request('POST', '/v1/users/link', { key: null, body: { token } });
    assert.is(reply.status, 200, reply.text);
    assert.is(reply.headers['cache-control'], 'no-store');
    return reply.json();
  };
  const invited = await invite(service, { email: 'ann@example.com', role: 'editor' });
  const token = tokenOfLink((invited.json() as { invitation_url: string }).invitation_url);
  await settled(service);
  const nothing = { organization: null, email: null };
  assert.equal(await purposeOf(token), {
    purpose: 'invitation',
    status: 'open',
    organization: 'first',
    email: 'ann@example.com',
  });
  assert.equal(await purposeOf(`${token.slice(0, -2)}AA`), { purpose: null, status: 'gone', ...nothing });
  assert.equal(await purposeOf('nothing'), { purpose: null, status: 'gone', ...nothing });
  const [{ id } = { id: '' }] = await users(service);
  await service.request('POST', `/v1/users/${id}/resend-invitation`, { key: service.first.keys.admin });
  await settled(service);
  assert.equal(await purposeOf(token), { purpose: 'invitation', status: 'superseded', ...nothing });

  const ben = await made(service, 'ben@example.com', 'viewer');
  const mac = (kind: string, text: string) => service.keys.fingerprint(kind, text);
  const { handle } = service.commands.bind((parts) => parts);
  const context = service.context(service.first.id, 'reset of ben');
  await handle(service.first.id, organizationDecider, (it) => requestReset(it, ben), context);
  await service.readers.waitFor(['organizations', 'account_mails'], context);
  const link = { organizationId: service.first.id, userId: ben, reset: 1, way: 'mailed' } as const;
  const reset = tokenOfLink(await resetPath(link, instantOf(service.time.now), mac));
  assert.equal(await purposeOf(reset), {
    purpose: 'reset',
    status: 'open',
    organization: 'first',
    email: 'ben@example.com',
  });
  service.time.now += 3_600_000;
  assert.equal(await purposeOf(reset), { purpose: null, status: 'gone', ...nothing });
});

test('an invitation link is refused if it was changed, has another purpose, has expired or was superseded, or if the user was removed', async ({
  service,
}) => {
  const link = await linkFor(service, 'ann@example.com');
  const [{ id } = { id: '' }] = await users(service);
  const token = new URLSearchParams(link.slice(link.indexOf('?'))).get('token') ?? '';
  const mac = (kind: string, text: string) => service.keys.fingerprint(kind, text);
  const signed = (organizationId: string, subject: string, purpose = INVITATION) =>
    signedToken({ purpose, organizationId, subject, expiresAt: '2099-01-01T00:00:00.000000' }, mac);
  const [content = '', signature = ''] = token.split('.');
  const others = [
    `${content}.${signature.slice(0, -2)}AA`,
    `${Buffer.from(JSON.stringify([service.second.id, `${id}.1.mailed`, null])).toString('base64url')}.${signature}`,
    await signed(service.first.id, `${id}.1.shown`, PASSWORD_RESET),
  ];
  for (const other of others) {
    const { status, title } = await accept(service, `/users/accept?token=${other}`);
    assert.equal([status, title], [403, 'This link does not work']);
  }
  assert.equal((await page(service, '/users/accept')).title, 'This link does not work');
  for (const [organization, subject] of [
    [service.second.id, `${id}.1.shown`],
    [service.first.id, `${id}.2.shown`],
    [service.first.id, 'user00000bob.1.shown'],
  ] as const) {
    const { status } = await accept(service, `/users/accept?token=${await signed(organization, subject)}`);
    assert.ok(status === 410 || status === 422, status.toString());
  }

  const resent = await service.request('POST', `/v1/users/${id}/resend-invitation`, { key: service.first.keys.admin });
  const newest = pageOfLink((resent.json() as { invitation_url: string }).invitation_url);
  await settled(service);
  assert.equal((await accept(service, link)).title, 'A later invitation was sent');
  service.time.now += 7 * 86_400_000;
  assert.is((await accept(service, newest)).status, 403);
  service.time.now -= 86_400_000;
  await service.request('DELETE', `/v1/users/${id}`, { key: service.first.keys.admin });
  assert.equal((await accept(service, newest)).title, 'This link does not work');
  assert.equal((await users(service)).length, 0);
});

test('links to users do not use the host name of the request', async ({ service }) => {
  const reply = await service.request('POST', '/v1/users/invite', {
    key: service.first.keys.admin,
    body: { email: 'ann@example.com', role: 'viewer' },
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  assert.not.match(reply.text, 'evil');
});

test('only admins invite, change and remove users', async ({ service }) => {
  const id = await made(service, 'bob@example.com', 'viewer');
  for (const role of ['viewer', 'editor', 'billing'] as const) {
    const key = service.first.keys[role];
    for (const [method, path, body] of [
      ['POST', '/v1/users/invite', { email: 'x@example.com', role: 'viewer' }],
      ['PATCH', `/v1/users/${id}`, { role: 'admin' }],
      ['DELETE', `/v1/users/${id}`, undefined],
      ['POST', `/v1/users/${id}/resend-invitation`, undefined],
    ] as const) {
      const { status } = await service.request(method, path, { key, ...(body && { body }) });
      assert.is(status, 403, `${role}: ${method} ${path}`);
    }
  }
  assert.is((await invite(service, { email: 'x@example.com', role: 'admin' })).status, 200);
  const wrong = await invite(service, { email: 'nobody', role: 'owner' });
  assert.is(wrong.status, 422);
  assert.equal(Object.keys((wrong.json() as { errors: { json: object } }).errors.json).sort(), ['email', 'role']);
});

test('users of another organization are not found', async ({ service }) => {
  const id = await made(service, 'bob@example.com', 'viewer');
  const key = service.second.keys.admin;
  for (const [method, path] of [
    ['GET', `/v1/users/${id}`],
    ['PATCH', `/v1/users/${id}`],
    ['DELETE', `/v1/users/${id}`],
    ['POST', `/v1/users/${id}/resend-invitation`],
  ] as const)
    assert.is((await service.request(method, path, { key, ...(method === 'PATCH' && { body: {} }) })).status, 404);
});

test('PATCH of a user changes only the role', async ({ service }) => {
  const id = await made(service, 'bob@example.com', 'viewer');
  const before = (await service.request('GET', `/v1/users/${id}`)).json() as Record<string, unknown>;
  const body = {
    id: 'user00000eve',
    organization_id: service.second.id,
    email: 'eve@example.com',
    email_verified: true,
    first_name: 'Eve',
    status: 'disabled',
    is_first_login: false,
    last_login: '2020-01-01T00:00:00.000000',
    created_at: '2020-01-01T00:00:00.000000',
    password: 'another one',
    role: 'editor',
  };
  const after = await service.request('PATCH', `/v1/users/${id}`, { key: service.first.keys.admin, body });
  const changed = after.json() as Record<string, unknown>;
  assert.equal(changed, { ...before, role: 'editor', updated_at: changed['updated_at'] });
});

test('a concurrent removal and demotion of the last two admins leave one admin', async ({ service }) => {
  const ids = [await made(service, 'a@example.com', 'admin'), await made(service, 'b@example.com', 'admin')];
  const key = service.first.keys.admin;
  const done = await Promise.all([
    service.request('DELETE', `/v1/users/${ids[0] ?? ''}`, { key }),
    service.request('PATCH', `/v1/users/${ids[1] ?? ''}`, { key, body: { role: 'viewer' } }),
  ]);
  assert.is(done.filter(({ status }) => status === 409).length, 1);
});

test("a removed user loses all keys, regardless of the client's headers", async ({ service }) => {
  const { userId, token } = await signInAs(service, service.first.id, 'viewer');
  for (let count = 0; count < 100; count++) {
    const reply = await service.request('POST', '/v1/api-keys', { key: token, body: { name: 'One of many' } });
    assert.is(reply.status, 201, reply.text);
  }
  const headers = { 'user-agent': 'x'.repeat(4_000) };
  const key = service.first.keys.admin;
  assert.is((await service.request('DELETE', `/v1/users/${userId}`, { key, headers })).status, 204);
});

test('removed users are listed on request, with their names', async ({ service }) => {
  const id = await made(service, 'bob@example.com', 'viewer');
  const key = service.first.keys.admin;
  assert.is((await service.request('DELETE', `/v1/users/${id}`, { key })).status, 204);
  assert.is((await service.request('DELETE', `/v1/users/${id}`, { key })).status, 404);
  assert.is((await service.request('GET', `/v1/users/${id}`)).status, 404);
  assert.equal(await users(service), []);
  const [gone] = await users(service, '?status=disabled');
  assert.equal([gone?.email, gone?.status], ['bob@example.com', 'disabled']);
});

test('invitations to an e-mail address in use are refused ten times an hour; after that, responses do not reveal that the address is in use', async ({
  service,
}) => {
  await made(service, 'bob@example.com', 'viewer');
  const ask = (email: string) => invite(service, { email, role: 'viewer' }, service.second.keys.admin);
  const replies = await Promise.all(Array.from({ length: 14 }, () => ask('bob@example.com')));
  assert.is(replies.filter(({ status }) => status === 409).length, 10);
  const refused = [
    ...replies.filter(({ status }) => status === 429),
    await ask('bob@example.com'),
    await ask('new@example.com'),
  ];
  assert.is(refused.length, 6);
  assert.equal(new Set(refused.map(({ text }) => text)).size, 1);
  assert.ok(Number(refused[0]?.headers['retry-after']) > 0);
  service.time.now += 3_600_000;
  assert.is((await ask('new@example.com')).status, 200);
});

test('a user gets at most five account e-mails a day', async ({ service }) => {
  await linkFor(service, 'ann@example.com');
  const [{ id } = { id: '' }] = await users(service);
  const key = service.first.keys.admin;
  const again = () => service.request('POST', `/v1/users/${id}/resend-invitation`, { key });
  for (let n = 2; n <= 5; n++) assert.is((await again()).status, 200);
  assert.is((await again()).status, 429);
  await service.request('DELETE', `/v1/users/${id}`, { key });
  assert.is((await invite(service, { email: 'ANN@example.com', role: 'viewer' })).status, 429);
});

test('the response to a mailed invitation does not contain its link', async () => {
  const service = await startService();
  try {
    const reply = await invite(service, { email: 'ann@example.com', role: 'viewer' });
    assert.equal(Object.keys(reply.json() as object), ['message']);
  } finally {
    await service.stop();
  }
});

test('the plan limits the number of users, also for concurrent invitations', async () => {
  const { default: free } = SELF_HOSTED;
  const plans = plansOf([{ ...free, limits: { ...free.limits, users: 2 } }], free.id);
  const service = await startService({ plans });
  try {
    const done = await Promise.all(
      [1, 2, 3, 4].map((n) => invite(service, { email: `u${n}@example.com`, role: 'viewer' })),
    );
    assert.equal(done.map(({ status }) => status).sort(), [200, 200, 403, 403]);
  } finally {
    await service.stop();
  }
});

test.run();
