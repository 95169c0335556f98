import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PagePassword } from '../../../../../api/v1/pages/passwords/schema.ts';
import { HOUR_MS, instantOf } from '../../../../../domain/time.ts';
import type { Role } from '../../../../../domain/organization/roles.ts';
import { request as send, type Reply } from '../../../http.ts';
import { startService, type ServiceRequest } from '../../../service.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);
const SECRET = 'tuba-4217-harp';

const test = suite('page passwords');
const service = await startService({ now: NOW, trustProxy: '127.0.0.1' });
const { first, second, request, stores, logged } = service;
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

let made = 0;
const aName = (): string => `Page ${++made}`;
const aPage = async (fields: object = {}): Promise<string> => {
  const reply = await request('POST', '/v1/pages', { body: { name: aName(), ...fields } });
  assert.is(reply.status, 200, reply.text);
  return (reply.json() as { id: string }).id;
};

const passwordsOf = (page: string): string => `/v1/pages/${page}/passwords`;
const post = (page: string, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('POST', passwordsOf(page), { ...ask, body: { name: 'Customers', password: SECRET, ...body } });
const add = async (page: string, body: object = {}): Promise<PagePassword> => {
  const reply = await post(page, body);
  assert.is(reply.status, 201, reply.text);
  return reply.json() as PagePassword;
};
const one = (page: string, { id }: { id: string }): string => `${passwordsOf(page)}/${id}`;
const put = (page: string, password: { id: string }, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('PUT', one(page, password), { ...ask, body });
const list = async (page: string): Promise<PagePassword[]> =>
  (await request('GET', passwordsOf(page))).json() as PagePassword[];

/** Each visit comes from another address unless an address is given, because wrong passwords are counted by address. */
let visitors = 0;
const visit = (
  method: string,
  path: string,
  { body, token, from }: { body?: object; token?: string; from?: string } = {},
) =>
  request(method, path, {
    key: token ?? null,
    headers: { 'x-forwarded-for': from ?? `2001:db8:${(++visitors).toString(16)}::1` },
    ...(body && { body }),
  });
const verify = (page: string, password: string, from?: string): Promise<Reply> =>
  visit('POST', `/v1/pages/${page}/verify-password`, { body: { password }, ...(from !== undefined && { from }) });
const hintsOf = (page: string): Promise<Reply> => visit('GET', `/v1/pages/${page}/password-hints`);

interface Access {
  access_token: string;
  token_type: string;
  expires_in: number;
  password_name: string;
}
const comeIn = async (page: string, password = SECRET): Promise<Access> => {
  const reply = await verify(page, password);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Access;
};
const domainOf = async (page: string): Promise<string> =>
  ((await request('GET', `/v1/pages/${page}`)).json() as { subdomain: string }).subdomain;
/** Returns the status of the response when a visitor requests a page by its subdomain. */
const see = async (page: string, token?: string): Promise<number> => {
  const path = `/v1/pages/by-domain/${await domainOf(page)}`;
  return (await visit('GET', path, token === undefined ? {} : { token })).status;
};
const subscribe = async (page: string, token?: string): Promise<number> => {
  const body = { mode: 'email', email: `someone${++made}@example.com` };
  return (await visit('POST', `/v1/pages/${page}/subscribers`, { body, ...(token !== undefined && { token }) })).status;
};
const errorsOf = (reply: Reply): Record<string, string[]> =>
  (reply.json() as { errors: { json?: Record<string, string[]> } }).errors.json ?? {};
const messageOf = (reply: Reply): string => (reply.json() as { message: string }).message;

test('page passwords can be added, listed newest first, read, changed and removed, and are never shown', async () => {
  const page = await aPage();
  const added = await add(page, { password_hint: 'The old number', expires_at: '2026-12-01T00:00:00Z' });
  assert.equal(
    { ...added, id: '', created_by: '' },
    {
      id: '',
      name: 'Customers',
      password_hint: 'The old number',
      active: true,
      expires_at: '2026-12-01T00:00:00.000000',
      is_expired: false,
      created_by: '',
      created_at: instantOf(NOW),
      updated_at: instantOf(NOW),
    },
  );
  assert.match(added.created_by, /^[a-z0-9]{12}$/);
  const other = await add(page, { name: 'Partners', password: 'horn-4217-flute' });
  assert.equal(await list(page), [other, added]);
  assert.equal((await request('GET', one(page, added))).json(), added);

  service.time.now = NOW + HOUR_MS;
  const sentBack = await put(page, added, { ...added, id: 'x', is_expired: true });
  assert.equal([sentBack.status, sentBack.json()], [200, added]);
  const changed = await put(page, added, { password_hint: null, expires_at: null, password: 'horn-4217-drums' });
  const changes = { password_hint: null, expires_at: null, updated_at: instantOf(NOW + HOUR_MS) };
  assert.equal([changed.status, changed.json()], [200, { ...added, ...changes }]);

  assert.is((await request('DELETE', one(page, added))).status, 204);
  assert.is((await request('DELETE', one(page, added))).status, 404);
  assert.is((await request('GET', one(page, added))).status, 404);
  assert.equal(await list(page), [other]);
});

test('visitors cannot read anything of a page with passwords without a token', async () => {
  const page = await aPage();
  assert.equal([await see(page), await subscribe(page)], [200, 201]);
  await add(page);
  assert.equal([await see(page), await subscribe(page)], [404, 404]);
  const access = await comeIn(page);
  assert.equal(
    { ...access, access_token: '' },
    { access_token: '', token_type: 'Bearer', expires_in: 86_400, password_name: 'Customers' },
  );
  assert.is(await see(page, access.access_token), 200);
  assert.is(await see(page, `Bearer ${access.access_token}`), 200);
  const shown = await visit('GET', `/v1/pages/by-domain/${await domainOf(page)}`, { token: access.access_token });
  assert.not.ok('ip_restrictions' in (shown.json() as object));
  assert.not.match(shown.text, /password/);
  // Shared caches must not store a page with passwords.
  assert.is(shown.headers['cache-control'], 'private, no-cache');
  // Visitors cannot subscribe, because messages would reach everybody with access to the mailbox, even after the
  // password was changed.
  assert.is(await subscribe(page, access.access_token), 404);
});

test('page passwords do not apply to callers with a key of the organization', async () => {
  const page = await aPage();
  await add(page);
  const domain = await domainOf(page);
  assert.is((await request('GET', `/v1/pages/by-domain/${domain}`, { key: first.keys.viewer })).status, 200);
  const body = { mode: 'email', email: 'someone@example.com' };
  assert.is((await request('POST', `/v1/pages/${page}/subscribers`, { body })).status, 201);
  const viewer = { body: { ...body, email: 'other@example.com' }, key: first.keys.viewer };
  assert.is((await request('POST', `/v1/pages/${page}/subscribers`, viewer)).status, 403);
  assert.is((await request('GET', `/v1/pages/by-domain/${domain}`, { key: second.keys.admin })).status, 404);
});

for (const [revoked, by] of [
  ['removed', (page, password) => request('DELETE', one(page, password))],
  ['replaced', (page, password) => put(page, password, { password: 'horn-4217-flute' })],
  ['deactivated', (page, password) => put(page, password, { active: false })],
  [
    'deactivated for a moment',
    async (page, password) => {
      await put(page, password, { active: false });
      return put(page, password, { active: true });
    },
  ],
] as [string, (page: string, password: { id: string }) => Promise<Reply>][])
  test(`tokens of a page password that is ${revoked} are void, and those of other passwords still work`, async () => {
    const page = await aPage();
    const password = await add(page);
    await add(page, { name: 'Partners', password: 'drum-4217-organ' });
    const [mine, other] = [await comeIn(page), await comeIn(page, 'drum-4217-organ')];
    assert.equal([mine.password_name, other.password_name], ['Customers', 'Partners']);
    assert.ok((await by(page, password)).status < 300);
    assert.equal([await see(page, mine.access_token), await see(page, other.access_token)], [404, 200]);
  });

test('tokens still work after their page password was renamed or got another hint', async () => {
  const page = await aPage();
  const password = await add(page);
  const { access_token } = await comeIn(page);
  await put(page, password, { name: 'Clients', password_hint: 'As ever', expires_at: '2027-01-01T00:00:00Z' });
  assert.is(await see(page, access_token), 200);
  assert.is((await comeIn(page)).password_name, 'Clients');
});

test('an expired page password is refused, and the page stays protected', async () => {
  const page = await aPage();
  const password = await add(page, { expires_at: instantOf(NOW + HOUR_MS), password_hint: 'As ever' });
  const access = await comeIn(page);
  assert.is(access.expires_in, 3_600);
  service.time.now = NOW + HOUR_MS;
  assert.is((await list(page))[0]?.is_expired, true);
  assert.is(await see(page, access.access_token), 404);
  assert.is((await verify(page, SECRET)).status, 401);
  assert.equal((await hintsOf(page)).json(), { hints: [] });
  assert.is(await see(page), 404);
  // An expired password can be sent back unchanged, and extended.
  const { expires_at, is_expired } = (await list(page))[0] ?? password;
  assert.is((await put(page, password, { expires_at, is_expired })).status, 200);
  assert.is((await put(page, password, { expires_at: instantOf(NOW + 2 * HOUR_MS) })).status, 200);
  assert.is((await verify(page, SECRET)).status, 200);
});

test('page tokens expire after a day', async () => {
  const page = await aPage();
  await add(page);
  const { access_token } = await comeIn(page);
  service.time.now = NOW + 24 * HOUR_MS - 1;
  assert.is(await see(page, access_token), 200);
  service.time.now = NOW + 24 * HOUR_MS;
  assert.is(await see(page, access_token), 404);
});

test('a page token opens no other page and no route that needs a key', async () => {
  const [page, other] = [await aPage(), await aPage()];
  await add(page);
  await add(other);
  const { access_token } = await comeIn(page);
  assert.is(await see(other, access_token), 404);
  for (const path of ['/v1/pages', `/v1/pages/${page}`, passwordsOf(page), `/v1/pages/${page}/subscribers`])
    assert.is((await visit('GET', path, { token: access_token })).status, 401, path);
});

test('a page without an active password is public again', async () => {
  const page = await aPage();
  const password = await add(page);
  assert.is(await see(page), 404);
  await put(page, password, { active: false });
  assert.is(await see(page), 200);
  assert.is((await verify(page, SECRET)).status, 401);
  await put(page, password, { active: true });
  assert.is(await see(page), 404);
  await request('DELETE', one(page, password));
  assert.is(await see(page), 200);
});

test('page passwords apply in addition to other access rules, and only to visitors who pass those rules', async () => {
  const team = await aPage({ viewers_must_be_team_members: true });
  const office = await aPage({ ip_restrictions: '192.0.2.0/24' });
  for (const page of [team, office]) {
    await add(page, { password_hint: 'As ever' });
    assert.is((await verify(page, SECRET)).status, 404);
    assert.is((await hintsOf(page)).status, 404);
  }
  const within = await verify(office, SECRET, '192.0.2.7');
  assert.is(within.status, 200);
  const { access_token: token } = within.json() as Access;
  const path = `/v1/pages/by-domain/${await domainOf(office)}`;
  assert.is((await visit('GET', path, { token, from: '192.0.2.8' })).status, 200);
  assert.is((await visit('GET', path, { token, from: '198.51.100.7' })).status, 404);
});

test('visitors see the hints of active page passwords', async () => {
  const page = await aPage();
  assert.equal((await hintsOf(page)).json(), { hints: [] });
  await add(page, { password_hint: 'The old number' });
  await add(page, { name: 'Partners', password: 'drum-4217-organ' });
  await add(page, { name: 'Former', password: 'drum-4217-flute', password_hint: 'Not this', active: false });
  assert.equal((await hintsOf(page)).json(), { hints: [{ name: 'Customers', password_hint: 'The old number' }] });
  assert.is((await hintsOf('nopage000000')).status, 404);
  assert.is((await visit('GET', `/v1/pages/${page}/password-hints`, { token: 'Basic cHJveHk6c2VjcmV0' })).status, 200);
});

test('the refusal of a wrong password does not reveal whether the page has passwords', async () => {
  const [page, open] = [await aPage(), await aPage()];
  await add(page, { active: true });
  const refusals = [await verify(page, 'wrong'), await verify(page, ''), await verify(open, SECRET)];
  for (const refusal of refusals) assert.equal([refusal.status, messageOf(refusal)], [401, 'The password is wrong.']);
  assert.is((await verify('nopage000000', SECRET)).status, 404);
  assert.is((await visit('POST', `/v1/pages/${page}/verify-password`, { body: {} })).status, 422);
  const long = await verify(page, 'x'.repeat(2_001));
  assert.equal([long.status, Object.keys(errorsOf(long))], [422, ['password']]);
});

test('page passwords are compared after Unicode normalization', async () => {
  const page = await aPage();
  await add(page, { password: 'cafe\u0301-tuba-42' });
  assert.is((await verify(page, 'caf\u00e9-tuba-42')).status, 200);
  assert.is((await verify(page, 'Caf\u00e9-tuba-42')).status, 401);
});

test('password guesses of a client are delayed across pages, and the correct password is delayed too', async () => {
  const [page, other] = [await aPage(), await aPage()];
  await add(page);
  await add(other);
  const from = '2001:db8:ffff::1';
  for (let tried = 0; tried < 11; tried++) {
    assert.is((await verify(tried % 2 === 0 ? page : other, 'wrong', from)).status, 401, tried.toString());
  }
  const refused = await verify(page, SECRET, '2001:db8:ffff::2');
  assert.equal([refused.status, refused.headers['retry-after']], [429, '1']);
  assert.is((await verify(page, SECRET)).status, 200);
  service.time.now = NOW + 1_000;
  assert.is((await verify(page, SECRET, from)).status, 200);
});

test('guesses of many clients at one page are delayed, except for visitors who were admitted before', async () => {
  const page = await aPage();
  await add(page);
  assert.is((await verify(page, SECRET, '203.0.113.7')).status, 200);
  for (let tried = 0; tried < 101; tried++) assert.is((await verify(page, 'wrong')).status, 401, tried.toString());
  assert.is((await verify(page, SECRET)).status, 429);
  assert.is((await verify(page, SECRET, '203.0.113.7')).status, 200);
  // The delay has passed after a minute.
  for (let tried = 0; tried < 10; tried++) {
    service.time.now += 60_000;
    assert.is((await verify(page, 'wrong')).status, 401, tried.toString());
  }
  service.time.now += 60_000;
  assert.is((await verify(page, SECRET)).status, 200);
});

test('the error for a page password names all invalid fields', async () => {
  const page = await aPage();
  const all = await request('POST', passwordsOf(page), {
    body: { name: ' ', password: 7, password_hint: 'x'.repeat(201), active: 'yes', expires_at: 'soon' },
  });
  assert.is(all.status, 422);
  assert.equal(Object.keys(errorsOf(all)).sort(), ['active', 'expires_at', 'name', 'password', 'password_hint']);
  const mixed = await request('POST', passwordsOf(page), {
    body: { name: '', password: 'password123', password_hint: 7, expires_at: instantOf(NOW) },
  });
  assert.equal(Object.keys(errorsOf(mixed)).sort(), ['expires_at', 'name', 'password', 'password_hint']);
  const ruled = await post(page, { password_hint: `It is ${SECRET}.`, expires_at: instantOf(NOW) });
  assert.equal(Object.keys(errorsOf(ruled)).sort(), ['expires_at', 'password_hint']);
  const missing = await request('POST', passwordsOf(page), { body: {} });
  assert.equal(Object.keys(errorsOf(missing)).sort(), ['name', 'password']);
  for (const [field, body] of [
    ['password', { password: 'short' }],
    ['password', { password: 'password123' }],
    ['password', { password: '        ' }],
    ['expires_at', { expires_at: instantOf(NOW) }],
    ['password_hint', { password_hint: `It is ${SECRET.toUpperCase()}.` }],
    ['name', { name: SECRET }],
  ] as const) {
    const reply = await post(page, body);
    assert.equal([reply.status, Object.keys(errorsOf(reply))], [422, [field]], JSON.stringify(body));
  }
  const password = await add(page);
  const duplicate = await post(page, { name: 'CUSTOMERS', password: 'drum-4217-organ' });
  assert.equal([duplicate.status, Object.keys(errorsOf(duplicate))], [409, ['name']]);
  const hinted = await put(page, password, { password_hint: SECRET });
  assert.equal([hinted.status, Object.keys(errorsOf(hinted))], [422, ['password_hint']]);
  assert.equal(Object.keys(errorsOf(await put(page, password, { password: null }))), ['password']);
  assert.equal((await list(page)).length, 1);
});

test('a page can have at most twenty passwords', async () => {
  const page = await aPage();
  for (let number = 0; number < 20; number++) await add(page, { name: `Customer ${number}` });
  const more = await post(page, { name: 'One more' });
  assert.equal([more.status, messageOf(more)], [400, 'A page can have at most 20 passwords.']);
});

test('every role reads page passwords, editors and admins write them, and other organizations see none', async () => {
  const page = await aPage();
  const password = await add(page);
  const writers: readonly Role[] = ['editor', 'admin'];
  for (const [role, key] of Object.entries(first.keys) as [Role, string][]) {
    assert.is((await request('GET', passwordsOf(page), { key })).status, 200, role);
    assert.is((await request('GET', one(page, password), { key })).status, 200, role);
    const writes = writers.includes(role);
    assert.is((await post(page, { name: role }, { key })).status, writes ? 201 : 403, role);
    assert.is((await put(page, password, { password_hint: role }, { key })).status, writes ? 200 : 403, role);
    if (!writes) assert.is((await request('DELETE', one(page, password), { key })).status, 403, role);
  }
  for (const key of [second.keys.admin, null]) {
    const refused = key === null ? 401 : 404;
    assert.is((await request('GET', passwordsOf(page), { key })).status, refused);
    assert.is((await post(page, { name: 'Theirs' }, { key })).status, refused);
    assert.is((await put(page, password, { active: false }, { key })).status, refused);
    assert.is((await request('DELETE', one(page, password), { key })).status, refused);
  }
  const own = await aPage();
  assert.is((await request('GET', one(own, password))).status, 404);
  assert.is((await put(own, password, { active: false })).status, 404);
  await request('DELETE', `/v1/pages/${page}`);
  assert.is((await request('GET', passwordsOf(page))).status, 404);
  assert.is((await verify(page, SECRET)).status, 404);
});

test('page passwords are in no event, response, audit entry or log in the clear', async () => {
  const page = await aPage();
  const secret = 'ocarina-9034-bass';
  const repeating = { headers: { 'idempotency-key': 'page-password' } };
  const added = (await post(page, { password: secret }, repeating)).json() as PagePassword;
  service.time.now = NOW + 1_000;
  await put(page, added, { password: `${secret}-2` }, repeating);
  await comeIn(page, `${secret}-2`);
  await verify(page, `${secret}-3`);

  const events = await stores.main.readStream(`page-${page}`, { from: 0n, limit: 100 });
  const texts = [
    JSON.stringify(events, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    (await request('GET', '/v1/audit?page_size=100', { key: first.keys.admin })).text,
    logged.join('\n'),
    (await request('GET', passwordsOf(page))).text,
    (await request('GET', `/v1/pages/${page}`)).text,
  ];
  for (const text of texts) {
    assert.not.match(text, secret);
    assert.not.match(text, '$argon2');
    assert.not.match(text, '$fake$');
  }
  const entries = (await request('GET', `/v1/audit?resource_id=${added.id}`, { key: first.keys.admin })).json() as {
    audit_logs: { action: string; resource_name: string; changes: object }[];
  };
  assert.equal(
    entries.audit_logs.map(({ action, resource_name }) => [action, resource_name]),
    [
      ['page_password.updated', 'Customers'],
      ['page_password.created', 'Customers'],
    ],
  );
  assert.equal(entries.audit_logs[0]?.changes, { password: { old: '********', new: '********' } });
});

test('requests with page passwords ignore the Idempotency-Key, because a hash of the body would be stored', async () => {
  const page = await aPage();
  const repeating = { headers: { 'idempotency-key': 'twice' } };
  assert.is((await post(page, {}, repeating)).status, 201);
  assert.is((await post(page, {}, repeating)).status, 409);
});

test('responses with page tokens are not cached', async () => {
  const page = await aPage();
  await add(page);
  const reply = await send(service.port, {
    method: 'POST',
    path: `/v1/pages/${page}/verify-password`,
    body: { password: SECRET },
  });
  assert.is(reply.status, 200);
  assert.is(reply.headers['cache-control'], 'no-store');
});

test.run();
