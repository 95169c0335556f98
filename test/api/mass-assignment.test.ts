import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../domain/organization/roles.ts';
import { PLANS } from '../payments.ts';
import { storeKey, signInAs } from './users.ts';
import { startService } from './service.ts';

/** Fields that callers send along to gain rights they do not have (mass assignment). */
const test = suite('mass assignment of fields that the caller must not set');

const service = await startService({ plans: PLANS });
const { first, second, request } = service;
test.after(() => service.stop());

type Shown = Record<string, unknown>;

const PAST = '2020-01-01T00:00:00.000000';
const THERE = 'zzzzzzzzzzzz';

/** A value for every read-only field, and for some internal fields of events and documents. */
const GREEDY = {
  id: THERE,
  organization_id: second.id,
  org_id: second.id,
  user_id: THERE,
  created_by: THERE,
  created_by_key: THERE,
  actor: { kind: 'system', id: 'cli', role: 'admin' },
  created_at: PAST,
  updated_at: PAST,
  // users
  email_verified: true,
  email_key: 'key of eve@example.com',
  is_first_login: false,
  last_login: PAST,
  sign_ins: 99,
  password: 'not-the-one-4711',
  permissions: ['users.write'],
  second_factor: false,
  // organizations
  credits: { limit: 1_000_000, used: 0 },
  credit_limit: 1_000_000,
  current_subscription: { id: THERE, plan: { id: 'team' }, end_date: '2099-01-01' },
  subscription_id: THERE,
  subscribed_until: '2099-01-01T00:00:00.000000',
  plan: { id: 'team', limits: {} },
  limits: { users: 1_000 },
  // keys
  prefix: 'upt_0000',
  hash: '0'.repeat(64),
  token: 'a-token-of-my-own-0123456789',
  origin: 'environment',
  last_used_at: PAST,
  revoked: false,
  // payments
  amount: { value: '0.01', currency: 'EUR' },
  price: { value: '0.01', currency: 'EUR' },
  description: 'Paid already',
  method: 'gift',
  invoice_number: '2020-000001',
  paid_at: PAST,
  canceled_at: PAST,
  confirmation_url: 'https://evil.example/',
} as const;

/** Values for fields that can be set in other requests. */
const CHOSEN_ELSEWHERE = { role: 'admin', status: 'succeeded', email: 'eve@example.com', name: 'Eve' };
const ALL = { ...GREEDY, ...CHOSEN_ELSEWHERE };

const send = async (method: string, path: string, key: string, body?: object, headers = {}): Promise<Shown> => {
  const reply = await request(method, path, { key, headers, ...(body && { body }) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.json() as Shown;
};

/** Sends a change together with all fields that can't be changed, and asserts that only the change has an effect. */
const changesAlone = async (path: string, key: string, wanted: object, greedy: object, read = path): Promise<void> => {
  for (const method of ['PATCH', 'PUT']) {
    const before = await send('GET', read, key);
    const { updated_at } = await send(method, path, key, { ...greedy, ...wanted });
    const after = await send('GET', read, key);
    assert.equal(after, { ...before, ...wanted, updated_at }, `${method} ${path}`);
    assert.is.not(updated_at, PAST);
  }
};

test('a change of an organization ignores fields that the caller must not set', async () => {
  const path = `/v1/organizations/${first.id}`;
  await changesAlone(path, first.keys.admin, { name: 'Acme' }, ALL);
  assert.is((await request('GET', `/v1/organizations/${second.id}`, { key: first.keys.admin })).status, 404);
});

test("a change of the caller's own profile ignores fields that the caller must not set", async () => {
  for (const role of ROLES) {
    const { token, userId } = await signInAs(service, first.id, role);
    const wanted = { first_name: 'Ann', last_name: 'Lee' };
    await changesAlone('/v1/users/profile', token, wanted, ALL);
    assert.is((await send('GET', `/v1/users/${userId}`, first.keys.admin))['role'], role);
    const promotion = await request('PATCH', `/v1/users/${userId}`, { key: token, body: { role: 'admin' } });
    assert.is(promotion.status, role === 'admin' ? 200 : 403);
  }
});

test('a change of another user ignores fields that the caller must not set', async () => {
  const { userId } = await signInAs(service, first.id, 'viewer');
  await changesAlone(`/v1/users/${userId}`, first.keys.admin, { role: 'editor' }, ALL);
});

test('an invitation ignores fields that the caller must not set', async () => {
  const body = { ...ALL, email: 'eve@example.com', role: 'viewer', status: 'active' };
  await send('POST', '/v1/users/invite', first.keys.admin, body);
  const users = (await send('GET', '/v1/users', first.keys.admin)) as unknown as Shown[];
  const eve = users.find(({ email }) => email === 'eve@example.com') ?? {};
  const { id, created_at, updated_at, ...rest } = eve;
  assert.ok(![id, created_at, updated_at].some((value) => value === THERE || value === PAST));
  assert.equal(rest, {
    organization_id: first.id,
    email: 'eve@example.com',
    email_verified: false,
    first_name: null,
    last_name: null,
    role: 'viewer',
    status: 'invited',
    is_first_login: true,
    last_login: null,
  });
});

test('creating an API key ignores fields that the caller must not set', async () => {
  const ann = await signInAs(service, first.id, 'viewer');
  const made = await send('POST', '/v1/api-keys', ann.token, { ...GREEDY, name: 'Deployment' });
  const { id, prefix, token, created_at, ...rest } = made;
  assert.ok(![id, prefix, token, created_at].some((value) => Object.values<unknown>(GREEDY).includes(value)));
  const own = { role: 'viewer', allowed_ips: [], created_by: ann.userId, expires_at: null, last_used_at: null };
  assert.equal(rest, { ...own, name: 'Deployment' });
  assert.is((await request('GET', '/v1/pages', { key: GREEDY.token })).status, 401);
  assert.is((await request('GET', `/v1/api-keys/${String(id)}`, { key: second.keys.admin })).status, 404);
});

test('ordering a plan ignores fields that the caller must not set', async () => {
  const body = { ...ALL, plan_id: 'team' };
  const headers = { 'idempotency-key': 'greedy' };
  const payment = await send('POST', '/v1/payments', first.keys.billing, body, headers);
  const { id, created_at, ...rest } = payment;
  assert.ok(![id, created_at].some((value) => value === THERE || value === PAST));
  assert.equal(rest, {
    organization_id: first.id,
    status: 'pending',
    amount: { value: '49.90', currency: 'EUR' },
    description: 'Team, 30 days',
    plan_id: 'team',
    period_months: 1,
    method: 'invoice',
    confirmation_url: null,
    invoice_number: null,
    paid_at: null,
    canceled_at: null,
  });
  const cancelled = await send('POST', `/v1/payments/${String(id)}/cancel`, first.keys.billing, body);
  assert.equal([cancelled['status'], cancelled['paid_at']], ['canceled', null]);
  assert.is.not(cancelled['canceled_at'], PAST);
});

test('a caller with a session or a key cannot grant a role above their own to any user, invitation or key', async () => {
  for (const role of ROLES.filter((one) => one !== 'admin')) {
    const { token, userId } = await signInAs(service, first.id, role);
    const other = await signInAs(service, first.id, 'viewer');
    const formerly = await storeKey(service, first.id, { role: 'admin', createdBy: userId });
    const body = { role: 'admin' };
    for (const key of [token, first.keys[role], formerly]) {
      for (const [method, path, sent] of [
        ['PATCH', `/v1/users/${userId}`, body],
        ['PUT', `/v1/users/${userId}`, body],
        ['PATCH', `/v1/users/${other.userId}`, body],
        ['POST', '/v1/users/invite', { ...body, email: 'mallory@example.com' }],
        ['POST', `/v1/users/${other.userId}/resend-invitation`, {}],
        ['DELETE', `/v1/users/${other.userId}`, undefined],
        ['POST', '/v1/api-keys', { ...body, name: 'More' }],
        ['POST', '/v1/api-tokens', { ...body, name: 'More' }],
        ['PATCH', `/v1/organizations/${first.id}`, { name: 'Mine' }],
      ] as const) {
        const reply = await request(method, path, { key, ...(sent && { body: sent }) });
        assert.is(reply.status, 403, `${role}: ${method} ${path}: ${reply.text}`);
      }
    }
    assert.is((await send('GET', `/v1/users/${userId}`, first.keys.admin))['role'], role);
    assert.is((await send('GET', `/v1/users/${other.userId}`, first.keys.admin))['role'], 'viewer');
  }
});

test.run();
